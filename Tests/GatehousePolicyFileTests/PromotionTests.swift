import Foundation
import GatehousePolicy
@testable import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("policy promote")
struct PromotionTests {
  private func file(_ text: String) throws -> PolicyFile { try PolicyFile.read(text, name: "acme.yaml").get() }

  private func policy(_ rules: String) -> String {
    "schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\npassword:\n  rules:\n" + rules
  }

  @Test(
    "the stage goes, the rest of the line stays, comments included",
    arguments: [
      ("    - {id: a, min_length: 8, enforce: warn}  # why", "    - {id: a, min_length: 8}  # why"),
      ("    - {id: a, min_length: 8, enforce: warn, enforce_from: 2027-03-01}", "    - {id: a, min_length: 8}"),
      ("    - {enforce: warn, id: a, min_length: 8}", "    - {id: a, min_length: 8}"),
      ("    - {id: a, enforce_from: 2027-03-01, enforce: warn, min_length: 8}", "    - {id: a, min_length: 8}"),
      ("    - id: a\n      enforce: warn\n      min_length: 8", "    - id: a\n      min_length: 8"),
    ])
  func forms(_ before: String, _ after: String) throws {
    let edit = try Promotion(of: "password.a", in: try file(policy(before + "\n")))
    #expect(edit.text == policy(after + "\n"))
  }

  @Test(
    "every rule of the three apps that warns can be promoted, and only it changes",
    arguments: ["messai", "dd-ride", "vibes"])
  func apps(_ name: String) throws {
    let old = try file(try TestLists.policy(name))
    for rule in old.policy.allRules where rule.enforcement.mode == .warn {
      let new = try file(try Promotion(of: rule.id, in: old).text)
      let changed = PolicyFile.diff(old, new).map(\.subject)
      #expect(Set(changed) == [rule.id])
    }
  }

  @Test("a rule that does not warn, does not exist, or takes its stage from elsewhere is refused")
  func refusals() throws {
    let text = policy("    - {id: a, min_length: 8}\n")
    #expect(throws: Promotion.Refusal.enforced) { try Promotion(of: "password.a", in: try file(text)) }
    #expect(throws: Promotion.Refusal.unknown) { try Promotion(of: "password.b", in: try file(text)) }
  }
}
