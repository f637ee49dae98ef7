import GatehousePolicy
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire
import Testing

@testable import gatehouse

@Suite("A user as commands print one")
struct UserRecordTests {
  /// A user of a policy that has a field for each member of our own.
  private func record() -> UserRecord {
    UserRecord(
      id: "0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e", email: "al@example.com", emailVerified: true, disabled: false,
      profile: ["id": "another", "created_at": "then", "name": "Al"], online: true,
      createdAt: GatehouseWire.Timestamp(seconds: 1_800_000_000))
  }

  @Test("T206 profile fields are nested in JSON: a field called id is not the account's id")
  func json() throws {
    let table = UserVerb.record(record()).table
    let text = JSONOutput.document(kind: "user", key: "item", value: table.object(table.rows[0]))
    let item = try #require(try JSONParser.parse(Array(text.utf8))["item"])
    #expect(item["id"]?.string == "0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e")
    #expect(item["profile"]?["id"]?.string == "another" && item["profile"]?["name"]?.string == "Al")
  }

  @Test("T206 no output names one thing twice, and the table has each field under profile")
  func names() {
    let table = UserVerb.record(record()).table
    let keys = table.columns.map(\.key).filter { !$0.isEmpty }
    #expect(keys.count == Set(keys).count)
    #expect(CSVText.table(table).split(separator: "\r\n").first?.contains("id,email") == true)
    let shown = TableText(width: nil, colour: false).record(table)
    #expect(shown.contains("profile.id") && shown.contains("profile.created_at"))
  }
}
