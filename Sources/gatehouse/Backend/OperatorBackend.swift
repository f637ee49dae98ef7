import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// Where an operator's verbs are done: in this process over the database, or by a running server's admin API. Both run
/// the rows of one table.
enum OperatorBackend {
  case inProcess(OperatorCall)
  case remote(RemoteBackend)

  /// Does an operation. Throws what `OperatorCommand` knows how to say.
  func send<O: AdminOperation>(_ operation: O.Type, _ input: O.Input) async throws -> O.Output {
    switch self {
    case .inProcess(let call): try await AdminRoutes.run(operation, input, call)
    case .remote(let server): try server.send(operation, input)
    }
  }

  /// A list, page by page, up to a number of items.
  func items<Item>(
    atMost limit: Int, page most: Int, _ page: (_ limit: Int, _ cursor: String?) async throws -> ([Item], String?)
  ) async throws -> [Item] {
    var items: [Item] = []
    var cursor: String?
    repeat {
      let (more, next) = try await page(min(most, limit - items.count), cursor)
      items += more
      cursor = next
    } while cursor != nil && items.count < limit
    return items
  }
}
