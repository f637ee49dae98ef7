import Foundation
package import GatehousePrimitives

/// Where and how mail leaves. Printing it shows neither user nor password.
package struct SMTPSettings: Sendable {
  /// How the connection is protected.
  package enum Security: String, Sendable, CaseIterable {
    /// TLS from the first byte (`smtps://`, RFC 8314).
    case implicitTLS = "implicit"
    /// STARTTLS or no mail (`smtp://`, the default).
    case startTLSRequired = "required"
    /// STARTTLS when the server offers it: no protection against an attacker on the way. Never with a password beyond
    /// this machine.
    case startTLSIfOffered = "opportunistic"
    /// No TLS. Never with a password beyond this machine.
    case none
  }

  /// Name or address, without brackets.
  package var host: String
  package var port: UInt16
  package var security: Security
  package var user: String?
  /// UTF-8. Handed to curl only.
  package var password: Secret<[UInt8]>?
  /// PEM file of the authorities to trust instead of the system's.
  package var caFile: String?
  /// Seconds for one whole delivery, 1 to 300.
  package var timeout: Int
  /// The name said in EHLO; without it the machine's host name.
  package var hello: String?

  package init(
    host: String, port: UInt16, security: Security, user: String? = nil, password: Secret<[UInt8]>? = nil,
    caFile: String? = nil, timeout: Int = 30, hello: String? = nil
  ) {
    self.host = host
    self.port = port
    self.security = security
    self.user = user
    self.password = password
    self.caFile = caFile
    self.timeout = min(300, max(1, timeout))
    self.hello = hello
  }

  /// Host and port as the URL for curl has them: brackets around an IPv6 address.
  var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension SMTPSettings: CustomStringConvertible, CustomReflectable {
  package var description: String {
    "\(security == .implicitTLS ? "smtps" : "smtp")://\(user == nil ? "" : "…@")\(authority)"
      + (security == .implicitTLS ? "" : "?starttls=\(security.rawValue)")
  }
  package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}

/// The fault of an SMTP URL. The text never holds user, password or the URL itself.
package struct SMTPURLError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = "smtp url: \(description)" }
}

extension SMTPSettings {
  /// The options that may follow the question mark of an SMTP URL.
  package static let optionNames = ["starttls", "ca", "password_file", "timeout", "hello"]

  /// Reads `smtp[s]://[user[:password]@]host[:port][?option=value&…]`, with `%xx` escapes in user and password.
  ///
  /// `smtp` is port 587 with STARTTLS required, `smtps` port 465. Options: `starttls=required|opportunistic|none`,
  /// `ca=/file.pem`, `password_file=/file` (its last line end is cut), `timeout=SECONDS`, `hello=NAME`.
  package init(url: String) throws(SMTPURLError) {
    var parser = try SMTPURLParser(url)
    self = try parser.settings()
  }

  /// The files that an SMTP URL names; none where it is none.
  package static func files(url: String) -> [String] { (try? SMTPURLParser(url))?.files ?? [] }
}

/// The URL taken apart.
private struct SMTPURLParser {
  private let implicit: Bool
  private let credentials: Substring?
  private let hostAndPort: Substring
  private var options: [String: String]

  init(_ url: String) throws(SMTPURLError) {
    guard url.utf8.count <= 4096, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw SMTPURLError("must be printable ASCII without spaces; write other bytes of a user or password as %xx")
    }
    guard let scheme = url.firstRange(of: "://"), ["smtp", "smtps"].contains(url[..<scheme.lowerBound]) else {
      throw SMTPURLError("must begin with smtp:// or smtps://")
    }
    implicit = url[..<scheme.lowerBound] == "smtps"
    let rest = url[scheme.upperBound...]
    let question = rest.firstIndex(of: "?") ?? rest.endIndex
    var authority = rest[..<question]
    if authority.hasSuffix("/") { authority.removeLast() }
    let at = authority.lastIndex(of: "@")
    credentials = at.map { authority[..<$0] }
    hostAndPort = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard !url.contains("#"), !hostAndPort.contains("/"), credentials?.contains("/") != true else {
      throw SMTPURLError("has a path or a fragment; escape / as %2F and # as %23 in a user or password")
    }
    options = try Self.options(question == rest.endIndex ? "" : rest[rest.index(after: question)...])
  }

  var files: [String] { ["ca", "password_file"].compactMap { options[$0] } }

  private static func options(_ query: Substring) throws(SMTPURLError) -> [String: String] {
    var options: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(halves[0])
      guard SMTPSettings.optionNames.contains(name) else {
        throw SMTPURLError(
          "unknown option; options are \(SMTPSettings.optionNames.joined(separator: ", ")) (a ? in a password is %3F)")
      }
      guard halves.count == 2, let value = decode(halves[1]), !value.isEmpty else {
        throw SMTPURLError("option \(name) needs a value")
      }
      guard options.updateValue(value, forKey: name) == nil else { throw SMTPURLError("option \(name) is given twice") }
    }
    return options
  }

  mutating func settings() throws(SMTPURLError) -> SMTPSettings {
    let (host, port) = try address()
    let security = try security()
    let (user, password) = try login()
    if user != nil, security == .startTLSIfOffered || security == .none, !Self.isLoopback(host) {
      throw SMTPURLError("a password may not travel without TLS: use starttls=required or smtps://")
    }
    if let hello = options["hello"], !Self.isHostName(hello) { throw SMTPURLError("option hello must be a host name") }
    return SMTPSettings(
      host: host, port: port, security: security, user: user, password: password, caFile: options["ca"],
      timeout: try timeout(), hello: options["hello"])
  }

  private func address() throws(SMTPURLError) -> (String, UInt16) {
    var host = hostAndPort
    var port: UInt16 = implicit ? 465 : 587
    let afterBracket = host.lastIndex(of: "]") ?? host.startIndex
    if let colon = host[afterBracket...].lastIndex(of: ":") {
      let digits = host[host.index(after: colon)...]
      guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = UInt16(digits), number > 0 else {
        throw SMTPURLError("the port must be a number from 1 to 65535")
      }
      port = number
      host = host[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      let inner = host.dropFirst().dropLast()
      guard inner.contains(":"), inner.utf8.allSatisfy({ $0.isASCIIAlphanumeric || ":.".utf8.contains($0) }) else {
        throw SMTPURLError("the address in brackets must be IPv6")
      }
      return (String(inner), port)
    }
    guard Self.isHostName(host) else { throw SMTPURLError("the host must be a name or an address") }
    return (String(host), port)
  }

  private func security() throws(SMTPURLError) -> SMTPSettings.Security {
    guard let option = options["starttls"] else { return implicit ? .implicitTLS : .startTLSRequired }
    if implicit { throw SMTPURLError("smtps:// is TLS from the first byte: leave starttls out, or use smtp://") }
    guard let security = SMTPSettings.Security(rawValue: option), security != .implicitTLS else {
      throw SMTPURLError("starttls must be required, opportunistic or none")
    }
    return security
  }

  private func login() throws(SMTPURLError) -> (String?, Secret<[UInt8]>?) {
    let file = options["password_file"]
    guard let credentials else {
      if file != nil { throw SMTPURLError("password_file needs a user: smtp://user@host") }
      return (nil, nil)
    }
    let halves = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let user = Self.decode(halves[0]), !user.isEmpty else {
      throw SMTPURLError("the user is empty or badly escaped")
    }
    if let file {
      if halves.count == 2 { throw SMTPURLError("password and password_file together: leave one out") }
      return (user, Secret(Array(try Self.readPassword(file).utf8)))
    }
    guard halves.count == 2, let password = Self.decode(halves[1]), !password.isEmpty else {
      throw SMTPURLError("a user needs a password, in the URL (badly escaped?) or by password_file")
    }
    return (user, Secret(Array(password.utf8)))
  }

  private static func readPassword(_ file: String) throws(SMTPURLError) -> String {
    if let mode = SecretFile.exposedMode(of: file) {
      throw SMTPURLError("password_file has mode \(mode): others can read it; run chmod 0400 on it")
    }
    guard let data = FileManager.default.contents(atPath: file), data.count <= 4096 else {
      throw SMTPURLError("password_file can not be read, or is larger than 4 KiB")
    }
    var bytes = Array(data)
    if bytes.last == 0x0a { bytes.removeLast() }
    if bytes.last == 0x0d { bytes.removeLast() }
    guard let password = String(validating: bytes, as: UTF8.self), !password.isEmpty, isOneLine(password) else {
      throw SMTPURLError("password_file must hold one line of UTF-8 text")
    }
    return password
  }

  private func timeout() throws(SMTPURLError) -> Int {
    guard let option = options["timeout"] else { return 30 }
    guard option.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int(option), (1...300).contains(seconds) else {
      throw SMTPURLError("timeout must be 1 to 300 (seconds)")
    }
    return seconds
  }

  /// Undoes `%xx`; nil for a broken escape, bad UTF-8 or a control character.
  private static func decode(_ text: Substring) -> String? {
    guard let decoded = text.removingPercentEncoding, isOneLine(decoded) else { return nil }
    return decoded
  }

  private static func isOneLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }

  private static func isHostName(_ text: some StringProtocol) -> Bool {
    (1...253).contains(text.utf8.count) && !text.hasPrefix("-")
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  private static func isLoopback(_ host: String) -> Bool {
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return ["localhost", "::1"].contains(host)
      || octets.count == 4 && octets[0] == "127"
        && octets.allSatisfy { UInt8($0) != nil }
  }
}
