import Foundation
import GatehousePolicy
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Names that records of users have")
struct ReservedNameTests {
  /// The members of a record as the contract writes them.
  private func members(_ record: some Encodable) throws -> [String] {
    let json = try JSONSerialization.jsonObject(with: ContractJSON.encode(record))
    return ((json as? [String: Any])?.keys).map(Array.init) ?? []
  }

  @Test("T206 no profile field may be called as a member of any record of a user")
  func members() throws {
    let now = Timestamp(seconds: 1_800_000_000)
    let presence = Presence(online: true, lastSeen: now)
    let user = try members(
      User(
        id: "i", email: "e", emailVerified: true, disabled: false, profile: [:], presence: presence, links: [],
        createdAt: now, updatedAt: now))
    let record = try members(
      UserRecord(
        id: "i", email: "e", emailVerified: true, disabled: false, profile: [:], online: true, lastSeen: now,
        createdAt: now))
    let names = Set(user + record + ["last_sign_in"])
    #expect(names.count > 10 && names.filter { !Field.isReserved($0) } == [])
  }
}
