import GatehousePolicyFile

/// An application that people sign in to (RFC 6749 section 2): a browser brings codes to it, and it gets tokens.
package struct Client: Sendable, Equatable {
  /// The `client_id`.
  package let id: String
  /// The name that people know it by.
  package let name: String
  /// The client of the sessions that are opened for it.
  package let session: SessionClient
  /// The addresses at which a browser brings it a code.
  package let redirectURIs: [String]
  /// The `aud` of its access tokens.
  package let audience: String

  /// Returns whether a browser may go on to an address: one of the client's, in any spelling of scheme, host and port.
  package func redirects(to address: String) -> Bool {
    redirectURIs.contains { WrittenURL.same($0, address) }
  }
}
