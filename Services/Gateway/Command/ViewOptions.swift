import ArgumentParser
import GatewayCore

/// How people see the films of a chart.
struct ViewOptions: ParsableArguments {
    @Flag(
        help: .words(
            "터미널 너비만큼 칸을 나란히.", "Cells beside each other, as many as the terminal is wide for."))
    var grid = false

    @Flag(help: .words("모든 수치를 표로.", "A table of all figures."))
    var wide = false

    func validate() throws {
        guard !(grid && wide) else {
            throw ValidationError.usage("--grid와 --wide는 함께 쓸 수 없습니다.", "--grid and --wide exclude each other.")
        }
    }

    var view: ChartView { grid ? .grid : wide ? .wide : .list }
}
