import Majordomo
import MessageBus

/// The requests that the broker dispatches.
extension Referee {
    func dispatched(_ ticket: Frame, _ body: [Frame], over connection: Connection) {
        guard let tag = MessageTag(body.last), let admission = messages[tag.number].admission else { return }
        let name = connection.owner.name
        world.tally.dispatches += 1
        guard let registration = connection.registration, registration.isLive else {
            return object(.dispatchedToUnregistered, "\(admission.call) to \(name)")
        }
        guard admission.isLive else { return object(.dispatchedAfterEnd, "\(admission.call) to \(name)") }
        if admission.state == .dispatched { object(.repeated, "\(admission.call) is with two workers") }
        if !admission.dispatches.isEmpty {
            world.tally.redeliveries += 1
            if !admission.call.isIdempotent { object(.repeated, "\(admission.call) was redelivered to \(name)") }
            if admission.hasPartial { object(.redeliveredAfterPart, "\(admission.call) to \(name)") }
        }
        if admission.dispatches.count >= Int(timing.maxAttempts) { object(.tooManyAttempts, "\(admission.call)") }
        judgeIsolation(of: admission, at: registration)
        if admission.deadline <= now { object(.dispatchedLate, "\(admission.call) to \(name)") }
        if registration.isDraining { object(.dispatchedToDraining, "\(admission.call) to \(name)") }
        if isSilent(registration), cause.connection == nil, cause.lost == nil {
            object(.deadKept, "\(admission.call) was handed to \(name) in the tick that drops it")
        }
        if registration.isFull { object(.overCapacity, "\(admission.call) to \(name)") }
        if case .control(let control) = ControlFrame.read(body.first),
            .milliseconds(Int64(control.remainingMilliseconds)) > admission.deadline - now
        {
            object(.timeGrew, "\(admission.call) to \(name)")
        }
        let dispatch = Dispatch(
            admission: admission, registration: registration, ticket: ticket, body: body, time: now)
        dispatch.isSuspect = isSuspect(admission)
        dispatches[ticket] = dispatch
        admission.dispatches.append(dispatch)
        admission.state = .dispatched
        registration.outstanding.append(dispatch)
        if registration.isFull { registration.lastFullAt = now }
        registration.hasGotMore = true
        isUnsettled = true
    }

    private func judgeIsolation(of admission: Admission, at registration: Registration) {
        let call = "\(admission.call) at \(registration.instance)"
        if isQuarantined(admission) { object(.quarantineBroken, call) }
        if registration.isIsolated || isSuspect(admission) && !registration.outstanding.isEmpty {
            object(.suspectNotAlone, call)
        }
        let others = registered.filter { $0.service == registration.service }
        if isSuspect(admission), others.contains(where: \.isIsolated) { object(.suspectNotAlone, "\(call), a second") }
    }
}
