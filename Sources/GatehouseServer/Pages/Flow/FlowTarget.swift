import GatehouseIdentity
import GatehousePrimitives

extension Flow {
  /// The request of a client for a code, which began at the sign-in page: where a flow ends that it began.
  struct Target: Codable, Sendable, Equatable {
    /// One of the client's addresses.
    var address: String
    var state: String
    /// The client's code challenge.
    var challenge: CodeChallenge
    /// The `client_id`; nil for the tenant's own app, as in flows of servers that know no other.
    var client: String?

    /// Whether its user says yes before a code goes there: where only an app can open it, for any app may claim a
    /// scheme.
    var asksUser: Bool { !address.hasPrefix("https://") && !address.hasPrefix("http://") }

    /// The client that it is for; nil where the tenant has it no more.
    func client(of tenant: TenantSnapshot) -> Client? { client.map { tenant.client($0) } ?? tenant.app }

    /// The target as it is sealed: its address by a digest, because an operator's address may be long.
    var carried: Target {
      var target = self
      target.address = Self.mark(address)
      return target
    }

    /// The target as it was before it was sealed; nil where its client has the address no more.
    func found(in tenant: TenantSnapshot) -> Target? {
      guard
        let found = client(of: tenant)?.redirectURIs.first(where: {
          Self.mark($0).utf8.elementsEqual(address.utf8)
        })
      else { return nil }
      var target = self
      target.address = found
      return target
    }

    private static func mark(_ address: String) -> String { Base64URL.encode(Array(SHA256.digest(address).prefix(16))) }
  }
}
