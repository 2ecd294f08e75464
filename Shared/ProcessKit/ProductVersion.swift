/// The version of the product (SemVer): all programs of a stack are released together.
public enum ProductVersion {
    public static let current = "0.2.0"
}
