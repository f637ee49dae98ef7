import Foundation
import GatehousePolicy
import GatehouseWire
import Testing

@Suite("The copy of a user's data")
struct DataExportTests {
  private static let text = """
    {"version":1,"tenant":"app","user":{"id":"u","email":"ann@example.com","email_verified":true,"profile":{},
    "disabled":false,"presence":{"online":false},"links":[],"created_at":"2026-11-20T10:00:00Z","updated_at":"2026-11-20T10:00:00Z"},"access":"full",
    "password":{"is_set":true,"must_change":false,"earlier_kept":0},"identities":[],"sessions":[],"events":[],
    "exported_at":"2026-11-20T10:00:00Z","entered_by":"sign_up","unique_values":[],"events_are_complete":true,
    "kept_answers":[{"expires_at":"2026-11-20T10:00:00Z"}],"novelties":[{"is_new":true,"count_of":3}],"strange":7}
    """

  @Test("a list of any name is read and written again, its members as they are named; another member is skipped")
  func lists() throws {
    let export = try ContractJSON.decode(DataExport.self, from: Data(Self.text.utf8))
    #expect(export.lists.map(\.name) == ["kept_answers", "novelties"])
    #expect(export.count(of: "kept_answers") == 1 && export.count(of: "mails") == 0)
    #expect(
      export.lists.last?.rows == [
        ExportedRow([.init(name: "count_of", value: 3), .init(name: "is_new", value: true)])
      ])
    let written = String(decoding: try ContractJSON.encode(export), as: UTF8.self)
    #expect(written.contains(#""novelties":[{"count_of":3,"is_new":true}]"#), "\(written)")
    #expect(written.contains(#""kept_answers":[{"expires_at":"2026-11-20T10:00:00Z"}]"#), "\(written)")
    #expect(try ContractJSON.decode(DataExport.self, from: Data(written.utf8)) == export)
  }
}
