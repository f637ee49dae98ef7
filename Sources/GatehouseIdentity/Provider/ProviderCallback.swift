package import GatehousePrimitives

/// The parameters with which a provider sends a person back (RFC 6749 section 4.1.2, RFC 9207). Parameters that we do
/// not know are the provider's own business.
package struct ProviderCallback: Sendable {
  /// SHA-256 of the `state` that we gave.
  package let stateHash: [UInt8]
  /// The authorization code, or why there is none.
  package let outcome: Outcome
  /// The issuer that the answer names.
  package let issuer: String?
  /// Apple's: the name, told at the first time only and not signed.
  package let name: String?

  package enum Outcome: Sendable, Equatable {
    case code(String)
    /// The person said no.
    case denied
    /// Any other error; one word of ours, or of RFC 6749.
    case failed(String)
  }

  /// The parameters that count.
  package static let parameters: Set<String> = ["state", "code", "error", "iss", "user"]

  /// Nil for what can be no answer to a question of ours. A parameter without a value is read as one that is left out
  /// (RFC 6749 section 3.1).
  package init?(_ query: JSONObject) {
    let query = JSONValue.object(query)
    guard let state = query.told("state")?.string, let hash = OpaqueToken.digest(of: state, kind: .linkState) else {
      return nil
    }
    stateHash = hash
    issuer = query.told("iss")?.string
    name = query.told("user")?.string.flatMap(ProviderCallback.name)
    switch (query.told("code")?.string, query.told("error")?.string) {
    case (let code?, nil):
      guard IDToken.isPlain(code, longest: 4096) else { return nil }
      outcome = .code(code)
    // Apple has an error word of its own for a person who said no.
    case (nil, "access_denied"?), (nil, "user_cancelled_authorize"?): outcome = .denied
    case (nil, let error?):
      let isWord = IDToken.isPlain(error, longest: 64) && error.utf8.allSatisfy { QueryText.isUnreserved($0) }
      outcome = .failed(isWord ? error : "unreadable")
    default: return nil
    }
  }

  /// The answer in an address that an app was opened with: that of a flow's `redirectURI`, and nothing but a query
  /// behind it.
  package init?(address: String, redirectURI: String) {
    let (given, expected) = (Array(address.utf8), Array(redirectURI.utf8))
    guard given.count <= 16 * 1024, given.starts(with: expected) else { return nil }
    let rest = given[expected.count...]
    let separator = UInt8(ascii: expected.contains(UInt8(ascii: "?")) ? "&" : "?")
    guard rest.first == separator else { return nil }
    let query = rest.dropFirst().prefix { $0 != UInt8(ascii: "#") }
    guard let object = try? QueryReader.read(Array(query), Self.parameters) else { return nil }
    self.init(object)
  }

  private static func name(_ user: String) -> String? {
    guard user.utf8.count <= 2048, let value = try? JSONParser.parse(Array(user.utf8)) else { return nil }
    let parts = [value["name"]?["firstName"]?.string, value["name"]?["lastName"]?.string].compactMap(\.self)
    let name = parts.filter { !$0.isEmpty }.joined(separator: " ")
    return IDToken.isPlain(name, longest: 512) ? name : nil
  }
}

extension ProviderCallback: CustomStringConvertible, CustomReflectable {
  /// No code, no state.
  package var description: String { "ProviderCallback(…)" }
  /// Nothing to see.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProviderCallback {
  /// The person, with the name that a provider tells beside its code, once (Sign in with Apple).
  func named(_ user: ProviderUser) -> ProviderUser {
    var user = user
    if let name, user.claims["name"] == nil { user.claims["name"] = name }
    return user
  }
}
