import Foundation

/// A length of time from a file or the command line, in milliseconds.
struct Span: Sendable, Comparable, CustomStringConvertible {
  let milliseconds: Int

  init(milliseconds: Int) { self.milliseconds = milliseconds }
  static func seconds(_ count: Int) -> Span { Span(milliseconds: count * 1000) }
  static func days(_ count: Int) -> Span { .seconds(count * 86_400) }

  private static let units: [(name: String, milliseconds: Int)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// Reads digits and one unit. `nil` for anything else, and for numbers of more than nine digits.
  init?(_ text: String) {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count), let number = Int(String(Substring(digits))) else { return nil }
    let unit = String(Substring(text.utf8.dropFirst(digits.count)))
    guard let found = Self.units.first(where: { Array($0.name.utf8) == Array(unit.utf8) }) else { return nil }
    self.init(milliseconds: number * found.milliseconds)  // at most 9 digits × 86 400 000: far from overflow
  }

  var duration: Duration { .milliseconds(milliseconds) }

  static func < (one: Span, other: Span) -> Bool { one.milliseconds < other.milliseconds }

  /// The largest unit that divides it: `90s`, `2h`.
  var description: String {
    let unit = Self.units.last { milliseconds != 0 && milliseconds % $0.milliseconds == 0 } ?? Self.units[1]
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
  }
}

/// A numeric IP address and a port. Names are not taken: what a server binds must not depend on a resolver.
struct Address: Sendable, Equatable, CustomStringConvertible {
  let host: String
  /// 0 asks the system for a free port.
  let port: Int
  let isIPv6: Bool

  init(host: String, port: Int, isIPv6: Bool) {
    self.host = host
    self.port = port
    self.isIPv6 = isIPv6
  }

  init?(_ text: String) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), port <= 65_535
    else { return nil }
    var host = String(text[..<colon])
    isIPv6 = host.hasPrefix("[")
    if isIPv6 {
      guard host.hasSuffix("]") else { return nil }
      host = String(host.dropFirst().dropLast())
    }
    guard Self.isNumeric(host, family: isIPv6 ? AF_INET6 : AF_INET) else { return nil }
    self.host = host
    self.port = port
  }

  /// Whether only this machine can reach it (127.0.0.0/8, ::1).
  var isLoopback: Bool { isIPv6 ? host == "::1" : host.hasPrefix("127.") }

  var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static func isNumeric(_ host: String, family: Int32) -> Bool {
    var storage = in6_addr()
    return inet_pton(family, host, &storage) == 1
  }
}

/// The parts of a URL that the command line must judge itself: its scheme, its host, and whether it carries a password.
struct URLShape {
  let scheme: String
  let host: String
  let hasPassword: Bool

  /// `nil` unless the text is `scheme://[user[:password]@]host…` with a scheme of the list and no blanks or controls.
  init?(_ text: String, schemes: [String], hostless: Bool) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let scheme = schemes.first(where: { text.lowercased().hasPrefix("\($0)://") })
    else { return nil }
    let rest = text.dropFirst(scheme.count + 3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let at = authority.lastIndex(of: "@")
    let host = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard hostless || !host.isEmpty else { return nil }
    self.scheme = scheme
    self.host = String(host)
    // libpq takes names of parameters in escapes too.
    let query = String(rest.drop { $0 != "?" })
    let parameters = (query.removingPercentEncoding ?? query).lowercased()
    hasPassword = at.map { authority[..<$0].contains(":") } ?? false || parameters.contains("password=")
  }
}
