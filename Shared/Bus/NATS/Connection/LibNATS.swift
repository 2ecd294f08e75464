internal import CNATS

/// The functions of libnats; call them after `loadLibNATS`.
let nats: cnats_functions = libNATS ?? cnats_functions()

/// Nil without the library, or when it lacks one of the functions.
///
/// SwiftPM does not notice changes of `CNATS/shim.h`: after one, compile this file again.
private let libNATS: cnats_functions? = {
    #if os(Linux)
        let library = "libnats.so.3.4"
    #else
        let library = "libnats.dylib"
    #endif
    var functions = cnats_functions()
    return cnats_load(library, &functions) ? functions : nil
}()

/// - Throws: `NATSError` with the code `missingLibrary`.
func loadLibNATS() throws(NATSError) {
    if libNATS == nil { throw NATSError(code: .missingLibrary, operation: "load libnats") }
}
