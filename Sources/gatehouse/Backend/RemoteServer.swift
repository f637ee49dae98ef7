import GatehousePrimitives

/// Flags of the commands that a running server's admin API can do as well.
enum ServerFlags {
  static let server = Flag(
    "server", .url("https", "http"),
    "do it by the admin API of a running server, such as https://auth.example.com:9091 (GATEHOUSE_SERVER)")
  static let tokenFile = Flag(
    "token-file", .file, "file with the admin token for --server; - is standard input (GATEHOUSE_ADMIN_TOKEN, …_FILE)")
  static let caFile = Flag("ca-file", .file, "file with the authorities to trust for --server, in PEM")

  static let all: [any AnyFlag] = [server, tokenFile, caFile]
  /// The variables of the environment that take the place of the flags.
  static let variables = ["GATEHOUSE_SERVER", "GATEHOUSE_ADMIN_TOKEN", "GATEHOUSE_ADMIN_TOKEN_FILE"]
}

/// A server's admin API, and the token for it.
struct RemoteServer {
  /// Scheme, host and port, without a slash at its end.
  let url: String
  let token: Secret<String>
  let caFile: String?

  /// Nil where no server is named: then the database is used.
  static func of(_ invocation: Invocation, onlyByFlag: Bool = false) throws(Failure) -> RemoteServer? {
    let flag = invocation[ServerFlags.server]
    let named = ["database", "data-dir"].first { invocation.values.flags[$0] != nil }
    if flag != nil, let named { throw Failure(.usage, "--server and --\(named) name two places; give one of them") }
    // A flag wins over a variable, this one too.
    let variable = onlyByFlag || named != nil ? nil : value("GATEHOUSE_SERVER", invocation)
    guard let text = flag ?? variable else { return nil }
    let origin = flag == nil ? "GATEHOUSE_SERVER" : "--server"
    guard let url = checked(text) else {
      throw Failure(.usage, "\(origin): \(Quoted(text)) is not a URL like https://auth.example.com:9091")
    }
    if url.lowercased().hasPrefix("http://"), !isLoopback(url) {
      throw Failure(.usage, "\(origin): the token would travel in clear to \(Quoted(url))", hint: "https://")
    }
    return RemoteServer(url: url, token: try token(invocation), caFile: invocation[ServerFlags.caFile])
  }

  /// Without the slash that may end it. Nil with a path, a query, a fragment or user information in it.
  private static func checked(_ text: String) -> String? {
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard URLShape(url, schemes: ["https", "http"], hostless: false) != nil, let scheme = url.firstRange(of: "://"),
      !url[scheme.upperBound...].contains(where: { "/?#@".contains($0) })
    else { return nil }
    return url
  }

  private static func isLoopback(_ url: String) -> Bool {
    let authority = url.lowercased().dropFirst("http://".count)
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    if host == "localhost" || host == "[::1" { return true }
    return Address("\(host):1")?.isLoopback ?? false
  }

  private static func token(_ invocation: Invocation) throws(Failure) -> Secret<String> {
    let bytes: [UInt8]
    if let path = invocation[ServerFlags.tokenFile] {
      bytes = try SecretText.read(path: path, for: "--token-file")
    } else if let token = value("GATEHOUSE_ADMIN_TOKEN", invocation) {
      bytes = Array(token.utf8)
    } else if let path = value("GATEHOUSE_ADMIN_TOKEN_FILE", invocation) {
      bytes = try SecretText.read(path: path, for: "GATEHOUSE_ADMIN_TOKEN_FILE")
    } else {
      throw Failure(
        .usage, "a server wants a token: GATEHOUSE_ADMIN_TOKEN or --token-file", hint: "gatehouse admin create --help")
    }
    // What ends a line would begin another header.
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw Failure(.usage, "the admin token is malformed") }
    return Secret(String(decoding: bytes, as: UTF8.self))
  }

  private static func value(_ name: String, _ invocation: Invocation) -> String? {
    invocation.surroundings[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
