import Assembly
import Envelope

extension Presentation {
    /// Records of what arrived; nothing but the reason when nothing did.
    func answer(
        _ rows: [FilmRecord], _ fields: [FilmRecord.Field], asked: (name: StaticString, value: String),
        isComplete: Bool, _ failure: Failure?
    ) throws -> Answer {
        let (notes, exitStatus) = ending(failure, isComplete: isComplete)
        switch format {
        case .records(let form, let names):
            guard failure == nil else { return Answer(notes: notes, exitStatus: exitStatus) }
            let lines = form.lines(rows, try fields.chosen(names), isRaw: isRaw)
            return lines.isEmpty
                ? Answer(notes: notes, exitStatus: exitStatus)
                : Answer(lines: lines, notes: notes, exitStatus: exitStatus)
        case .fields(let names):
            let json = AnswerJSON.films(
                failure == nil ? rows : [], try fields.chosen(names), asked: asked, isComplete: isComplete)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        case .text, .json: return Answer(notes: notes, exitStatus: exitStatus)
        }
    }

    /// Refuses fields that there are not, before anybody is asked.
    func check(_ fields: [FilmRecord.Field]) throws {
        switch format {
        case .records(_, let names): _ = try fields.chosen(names)
        case .fields(let names): _ = try fields.chosen(names)
        case .text, .json: break
        }
    }
}
