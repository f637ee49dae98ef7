import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("not_last: in a policy file")
struct NotLastFileTests {
  private static let head = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password: {rules: [{id: min8, min_length: 8}, {id: fresh, not_last: 3}]}

    """

  private func outcomes(_ tests: String) throws -> [Bool] {
    PolicyTests.run(try read(Self.head + "tests:\n" + tests), using: SmallLists()).map(\.passed)
  }

  @Test(
    "a test says the passwords that a person had, newest first",
    arguments: [
      ("set_password: {password: longest-one}", "{ok: true}"),
      ("given: {password: longest-one}, set_password: {password: longest-one}", "{violations: [password.fresh]}"),
      (
        "given: {previous_passwords: [aaaaaaaa, bbbbbbbb]}, set_password: {password: bbbbbbbb}",
        "{violations: [password.fresh]}"
      ),
      (
        "given: {previous_passwords: [aaaaaaaa, bbbbbbbb, cccccccc]}, reset_password: {password: cccccccc}",
        "{ok: true}"
      ),
      (
        "given: {previous_passwords: [aaaaaaaa, bbbbbbbb]}, reset_password: {password: aaaaaaaa}",
        "{violations: [password.fresh]}"
      ),
      ("given: {previous_passwords: [aaaaaaaa], password: cccccccc}, sign_in: {}", "{ok: true, next: []}"),
      ("sign_up: {email: a@example.com, password: aaaaaaaa}", "{ok: true}"),
    ])
  func inTests(way: String, expect: String) throws {
    #expect(try outcomes("  - {name: one, \(way), expect: \(expect)}\n") == [true])
    // Negative control: the test can fail.
    let other = expect.contains("ok: true") ? "{violations: [password.fresh]}" : "{ok: true}"
    #expect(try outcomes("  - {name: one, \(way), expect: \(other)}\n") == [false])
  }

  @Test("a history shorter by one password is a mutant that a test at the bound notices")
  func mutants() throws {
    let tests = """
      tests:
        - {name: third, given: {previous_passwords: [aaaaaaaa, bbbbbbbb]}, set_password: {password: bbbbbbbb}, expect: {ok: false}}

      """
    let found = PolicyTests.mutate(try read(Self.head + tests), using: SmallLists())
    let one = try #require(found.first { $0.mutant.change == "not_last 3 → 2" })
    #expect(one.noticedBy == "third")
  }

  @Test(
    "what it cannot mean is refused with what is allowed",
    arguments: [
      ("not_last: 0", "1 to 24"), ("not_last: 25", "1 to 24"), ("not_last: many", "whole number"),
      ("not_last: 3, existing: require_at_sign_in", "existing says nothing in a rule with not_last"),
    ])
  func refused(rule: String, said: String) {
    let found = findings(Self.head.replacing("not_last: 3", with: rule))
    #expect(found.contains(said), "\(found)")
  }
}
