import GatehouseAdminWire
import GatehouseWire

/// The common parts of the commands about mails that wait.
enum MailQueueVerb {
  static let tenant = Flag("tenant", .text("TENANT", "a tenant's name"), "only mails of this tenant")
  static let kind = Flag("kind", .text("KIND", "a kind of mail"), "only mails of this kind, such as verify_email")
  static let mail = Argument("MAIL", "the mail's id, as the list and the log have it", .any)

  static let exits: KeyValuePairs<Exit, String> = [
    .no: "it is refused", .notFound: "no such tenant", .unavailable: "the database failed",
  ]

  /// The tenant of the flag, else all.
  static func tenants(_ invocation: Invocation, _ backend: OperatorBackend) async throws -> [String] {
    if let name = invocation[tenant] { return [name] }
    return try await backend.items(atMost: .max, page: 1000) { limit, cursor in
      let page = try await backend.send(ListTenantsOperation.self, .init(limit: limit, cursor: cursor))
      return (page.items, page.nextCursor)
    }.map(\.name)
  }

  /// The mails that wait, of each of these tenants.
  static func waiting(of tenants: [String], _ backend: OperatorBackend) async throws
    -> [(tenant: String, mail: WaitingMail)]
  {
    var found: [(tenant: String, mail: WaitingMail)] = []
    for tenant in tenants {
      let mails = try await backend.send(ListWaitingMailsOperation.self, .init(tenant: tenant, limit: 1000)).items
      found += mails.map { (tenant: tenant, mail: $0) }
    }
    return found
  }

  /// The ids that the command line names; nil for none.
  static func ids(_ invocation: Invocation) -> [String]? {
    let ids = invocation.arguments(mail.name)
    return ids.isEmpty ? nil : ids
  }
}
