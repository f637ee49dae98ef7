package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant host list`.
package enum ListHosts {
  package static func run(_ input: ListHostsOperation.Input, _ call: OperatorCall) async throws -> HostList {
    try await Hosts.list(try await call.tenant(input.tenant), call)
  }
}
