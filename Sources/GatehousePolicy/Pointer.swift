/// JSON pointers into a request body (RFC 6901).
public enum Pointer {
  /// The address.
  public static let email = "/email"
  /// The password.
  public static let password = "/password"

  /// `/profile/name`, with `~` and `/` of the name escaped.
  public static func profile(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return "/profile/" + name
    }
    var escaped = "/profile/"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
