import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// The common parts of the commands about push tokens.
enum PushVerb {
  static let exits: KeyValuePairs<Exit, String> = [
    .notFound: "no such tenant or user", .unavailable: "the database failed",
  ]

  /// The id of the person that the command names. An id is taken as it stands, so that push:read is all that a token
  /// needs; an address is looked up.
  static func user(_ invocation: Invocation, of tenant: String, _ backend: OperatorBackend) async throws -> String {
    let text = try invocation.argument(UserVerb.user.name)
    if UserID(text: text) != nil { return text }
    return try await backend.send(ShowUserOperation.self, .init(tenant: tenant, user: text)).id
  }

  /// All push tokens of a user.
  static func tokens(of user: String, in tenant: String, _ backend: OperatorBackend) async throws -> [PushAddress] {
    try await backend.items(atMost: .max, page: 1000) { limit, cursor in
      let page = try await backend.send(
        ListPushTokensOperation.self, .init(tenant: tenant, users: [user], limit: limit, cursor: cursor))
      return (page.items, page.nextCursor)
    }
  }
}
