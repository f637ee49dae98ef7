import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("Names of profile fields")
struct FieldNameTests {
  private func file(_ name: String) -> String {
    ReadingTests.base + "profile: {fields: {\(name): {type: string}}}\n"
  }

  @Test(
    "T206 a name that a record of a user has already is refused for a new field, in any spelling, with its place",
    arguments: ["id", "ID", "sub", "user_id", "userId", "USERID", "createdAt", "presence", "Links", "emailVerified"])
  func refused(name: String) {
    let found = findings(file(name))
    let line = ReadingTests.base.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(found.contains("P0225") && found.contains(":\(line):20:"), "\(found)")
  }

  @Test("T206 a stored revision with such a name goes on loading", arguments: ["id", "userId", "createdAt"])
  func stored(name: String) throws {
    let file = try PolicyFile.read(file(name), name: "acme revision 1", as: .stored(.first)).get()
    #expect(file.policy.profile.fields.map(\.name) == [name])
  }

  @Test("T206 names that only contain such a word are free", arguments: ["memberId", "idea", "subject", "onlineName"])
  func free(name: String) {
    #expect(!findings(file(name)).contains("P0225"))
  }
}
