import ArgumentParser
import GatewayCore
import ServiceKit

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Whether all that an answer needs is well, and what to do where it is not.",
        discussion: "compose/stack doctor looks at a stack that does not start.")
    @OptionGroup var common: CommonOptions

    func run() async {
        await common.answer { try await $0.doctor(.load()) }
    }
}
