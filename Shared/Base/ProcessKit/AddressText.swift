/// An address from a setting or an option as messages and logs show it: without user, password and query.
///
/// It is made for texts of any form, since what is refused is shown, too.
public struct AddressText: Sendable, CustomStringConvertible {
    private static let longest = 200

    public let description: String

    public init(_ address: String) {
        // Text before it that is no scheme may be a secret.
        let scheme = address.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//)?.output ?? ""
        var rest = address.dropFirst(scheme.count)
        var user = ""
        // The last one: a password may contain any letter, and a list of servers a password for each.
        if let at = rest.lastIndex(of: "@") {
            user = "***@"
            rest = rest[rest.index(after: at)...]
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let query = path.endIndex == rest.endIndex ? "" : "?***"
        description = String("\(scheme)\(user)\(path)\(query)".printable.prefix(Self.longest))
    }
}
