import GatehouseRuntime

/// A name by which a browser knows the machine that it runs on: `localhost`, `127.0.0.1`, `[::1]`.
struct LocalHost: Sendable {
  /// In small letters, without a port.
  let name: String
  /// Digits; nil where none is named.
  let port: String?

  /// Reads a Host field; nil for every other name. A page of the web that leads its own name to this machine (DNS
  /// rebinding) has that name in this field.
  init?(_ field: String) {
    let text = field.lowercased()
    let name = text.hasPrefix("[") ? text.prefix { $0 != "]" } + "]" : text.prefix { $0 != ":" }
    guard name.utf8.count <= text.utf8.count else { return nil }
    let rest = text.utf8.dropFirst(name.utf8.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
    let digits = rest.dropFirst()
    guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }), rest.isEmpty || !digits.isEmpty,
      Self.isLocal(name)
    else { return nil }
    self.name = String(name)
    port = rest.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }

  private static func isLocal(_ name: Substring) -> Bool {
    if name.utf8.elementsEqual("localhost".utf8) { return true }
    let address = name.hasPrefix("[") ? name.dropFirst().dropLast() : name
    return PeerAddress(String(address))?.isLoopback == true
  }

  func isSame(as other: LocalHost) -> Bool { name.utf8.elementsEqual(other.name.utf8) }
}

/// The rule for requests to the pages of development: a browser on this machine asks, by a name of this machine, and no
/// program passes the request on.
enum DevelopmentGate {
  /// The name that the browser asks by; nil for every other request.
  static func host(of request: Request) -> LocalHost? {
    guard
      request.peer.isLoopback,  // GUARD: development: peers on this machine alone
      !isForwarded(request.headers)  // GUARD: development: nothing that was passed on
    else { return nil }
    // GUARD: development: by a name of this machine alone
    let host = request.host.flatMap { LocalHost($0) }
    return host
  }

  /// Fields by which proxies and tunnels name the client that they speak for.
  private static let forwarding: Set<String> = ["forwarded", "via", "x-real-ip"]

  private static func isForwarded(_ headers: Headers) -> Bool {
    headers.pairs.contains { $0.name.hasPrefix("x-forwarded-") || forwarding.contains($0.name) }
  }
}
