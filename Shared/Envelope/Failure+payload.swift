extension Failure {
    /// A payload or an answer that violates its contract.
    public static func malformedPayload(_ error: DecodingError) -> Failure {
        malformedEnvelope(
            error.field.isEmpty
                ? "the payload is not what its contract says"
                : "the payload's field \(error.field) is missing or not what it should be")
    }
}
