package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse admin list`: the tokens that could not do more than who asks; never their bits.
package enum ListAdminTokens {
  package static func run(_ input: ListAdminTokensOperation.Input, _ call: OperatorCall) async throws
    -> ListAdminTokensOperation.Output
  {
    let limit = try OperatorCall.limit(input.limit)
    let names = try await AdminTokens.tenantNames(call.services)
    let all = try await call.services.adminTokens.adminTokens().filter { AdminTokens.isWithin(call.who, $0) }
    let page = Page(of: all, after: input.cursor, limit: limit) { $0.name }
    return ListAdminTokensOperation.Output(
      items: page.items.map { AdminTokens.summary($0, names) }, nextCursor: page.next)
  }
}
