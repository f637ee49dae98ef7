import Foundation
package import GatehouseIdentity

// The names of tenants, accounts and sessions are uuids in every table.

extension TenantID: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> TenantID {
    TenantID(try UUID.decodeSQL(cell))
  }
}

extension UserID: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> UserID {
    UserID(try UUID.decodeSQL(cell))
  }
}

extension SessionID: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> SessionID {
    SessionID(try UUID.decodeSQL(cell))
  }
}
