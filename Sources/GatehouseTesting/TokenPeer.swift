import Foundation
package import GatehousePrimitives

/// A third party's backend: PyJWT (Debian package python3-jwt), which shares nothing with what signs our tokens and
/// knows nothing but the address of a tenant's key set.
package struct TokenPeer: Sendable {
  private let keys: String
  private let issuer: String
  private let audience: String

  /// The peer's verdict about a token.
  package struct Verdict: Sendable {
    /// Nil when it refused.
    package let claims: JSONValue?
    package let header: JSONValue?
    /// The kind of its refusal (`InvalidSignatureError`).
    package let refusal: String?
  }

  /// Expects tokens of a tenant: `server` is the address it fetches keys from.
  package init(server: String, tenant: String, issuer: String? = nil, audience: String? = nil) {
    keys = "\(server)/t/\(tenant)/.well-known/jwks.json"
    self.issuer = issuer ?? "\(server)/t/\(tenant)"
    self.audience = audience ?? tenant
  }

  /// Fetches the keys once and judges each token.
  package func verify(_ tokens: [String]) throws -> [Verdict] {
    (try ask("verify", tokens).array ?? []).map {
      Verdict(claims: $0["claims"], header: $0["header"], refusal: $0["refused"]?.string)
    }
  }

  /// The tokens that an attacker makes of a token and the public keys, by name.
  package func forgeries(of token: String) throws -> [(name: String, token: String)] {
    (try ask("forge", [token]).object?.members ?? []).map { ($0.key, $0.value.string ?? "") }
  }

  private func ask(_ verb: String, _ tokens: [String]) throws -> JSONValue {
    let python = Process()
    let (input, output) = (Pipe(), Pipe())
    python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    python.arguments = ["-c", String(decoding: PackageResources.token_peer_py, as: UTF8.self)]
    python.standardInput = input
    python.standardOutput = output
    try python.run()
    let request: JSONObject = [
      "verb": .string(verb), "keys": .string(keys), "issuer": .string(issuer), "audience": .string(audience),
      "tokens": .array(tokens.map { .string($0) }),
    ]
    try input.fileHandleForWriting.write(contentsOf: Data(JSONValue.object(request).bytes))
    try input.fileHandleForWriting.close()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    python.waitUntilExit()
    guard python.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
    return try JSONParser.parse([UInt8](answer), limits: JSONParser.Limits(size: 1 << 20))
  }
}
