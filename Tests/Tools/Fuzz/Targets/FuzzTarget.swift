/// A decoder or machine under the fuzzer; a run traps when an invariant is broken.
enum FuzzTarget: String, CaseIterable {
    case peerMessage = "peer-message"
    case clientMessage = "client-message"
    case workerMessage = "worker-message"
    case controlFrame = "control-frame"
    case ticket
    case workerOptions = "worker-options"
    case envelope
    case event
    case jsonReader = "json-reader"
    case imageHeader = "image-header"
    case broker

    func run(_ input: FuzzInput) {
        var input = input
        switch self {
        case .peerMessage: readPeerMessage(input.frames())
        case .clientMessage: readClientMessage(input.frames())
        case .workerMessage: readWorkerMessage(input.frames())
        case .controlFrame: readControlFrame(input.bytes())
        case .ticket: readTicket(input.bytes())
        case .workerOptions: readWorkerOptions(input.bytes())
        case .envelope: readEnvelope(input.bytes())
        case .event: readEvent(input.bytes())
        case .jsonReader: readJSON(&input)
        case .imageHeader: readImageHeader(input.bytes())
        case .broker: BrokerRun.run(&input)
        }
    }
}
