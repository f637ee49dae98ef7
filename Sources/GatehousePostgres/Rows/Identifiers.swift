import Foundation
package import GatehouseIdentity

// The names of tenants, accounts and sessions are uuids in every table.

extension UUIDIdentifier {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Self { Self(try UUID.decodeSQL(cell)) }
}

extension TenantID: SQLDecodable {}
extension UserID: SQLDecodable {}
extension SessionID: SQLDecodable {}
