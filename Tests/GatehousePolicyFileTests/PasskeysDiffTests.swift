import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("Changes of passkeys")
struct PasskeysDiffTests {
  private static let root = PasskeysFileTests.root
  private static let other = root.replacing("AgIJ", with: "AgIK")
  private static let yubikey = "08987058-cadc-4b81-b6e1-30de50dcbe96"

  private static func direct(_ rest: String) -> String { "use: [sign_in], attestation: direct, \(rest)" }

  private func diff(_ old: String?, _ new: String?) throws -> [PolicyChange] {
    func file(_ keys: String?) throws -> PolicyFile {
      try read(ReadingTests.base + (keys.map { "passkeys: {\($0)}\n" } ?? ""))
    }
    return PolicyFile.diff(try file(old), try file(new))
  }

  @Test("the section comes as a weaker change, and goes as a stricter one; both are about trust")
  func section() throws {
    let (there, back) = (try diff(nil, "use: [sign_in]"), try diff("use: [sign_in]", nil))
    #expect(there.map { "\($0.relation) \($0.sentence)" } == ["weaker people can add passkeys now: sign_in"])
    #expect(back.map { "\($0.relation) \($0.sentence)" } == ["stricter people can add no passkey any more"])
    #expect((there + back).allSatisfy { $0.isTrust })
  }

  @Test(
    "a section that refuses some passkeys can not be compared with none",
    arguments: [
      "use: [sign_in], synced: false", "use: [sign_in], counter: refuse", direct("roots: [\(root)]"),
    ])
  func refusing(keys: String) throws {
    #expect(try diff(nil, keys).map(\.relation) == [.incomparable])
    #expect(try diff(keys, nil).map(\.relation) == [.incomparable])
  }

  @Test(
    "a key that takes less of authenticators is stricter, and back it is weaker",
    arguments: [
      ("use: [sign_in], user_verification: preferred", "use: [sign_in]", "user_verification: preferred → required"),
      ("use: [sign_in]", "use: [sign_in], synced: false", "synced: true → false"),
      ("use: [sign_in]", "use: [sign_in], counter: refuse", "counter: report → refuse"),
      (
        direct("roots: [\(root)]"), direct("roots: [\(root)], aaguids: [\(yubikey)]"), "aaguids: all → [\(yubikey)]"
      ),
      (
        direct("roots: [\(root), \(other)]"), direct("roots: [\(root)]"),
        "roots: […AX6gAwIBAgIJ, …AX6gAwIBAgIK] → […AX6gAwIBAgIJ]"
      ),
      (
        "use: [sign_in], origins: [\"https://a.test\"]", "use: [sign_in]", "origins: [https://a.test] → []"
      ),
      (
        "use: [sign_in], apps: {apple: [TEAM123456.com.acme.app]}", "use: [sign_in]",
        "apps.apple: [TEAM123456.com.acme.app] → []"
      ),
    ])
  func directions(loose: String, strict: String, sentence: String) throws {
    let there = try diff(loose, strict)
    #expect(there.map(\.sentence) == ["passkeys.\(sentence)"] && there.map(\.relation) == [.stricter])
    #expect(try diff(strict, loose).map(\.relation) == [.weaker])
  }

  @Test("attestation comes with its roots, and both are stricter")
  func attested() throws {
    let there = try diff("use: [sign_in]", Self.direct("roots: [\(Self.root)]"))
    #expect(there.map(\.subject) == ["passkeys.attestation", "passkeys.roots"])
    #expect(there.map(\.relation) == [.stricter, .stricter])
  }

  @Test("another certificate of an Android app admits something new, and one more is weaker")
  func android() throws {
    func keys(_ prints: [String]) -> String {
      let list = prints.map { "\"" + [String](repeating: $0, count: 32).joined(separator: ":") + "\"" }
      return "use: [sign_in], apps: {android: [{package: com.acme.app, sha256: [\(list.joined(separator: ", "))]}]}"
    }
    let more = try diff(keys(["0A"]), keys(["0A", "0B"]))
    #expect(more.map(\.subject) == ["passkeys.apps.android"] && more.map(\.relation) == [.weaker])
    #expect(try diff(keys(["0A"]), keys(["0B"])).map(\.relation) == [.incomparable])
  }

  @Test(
    "other places and another relying party can not be compared",
    arguments: [
      ("use: [sign_in], rp_id: a.test", "use: [sign_in], rp_id: b.test", "passkeys.rp_id"),
      ("use: [sign_in]", "use: [sign_in], rp_id: b.test", "passkeys.rp_id"),
    ])
  func incomparable(old: String, new: String, subject: String) throws {
    let found = try diff(old, new)
    #expect(found.map(\.subject) == [subject] && found.map(\.relation) == [.incomparable])
  }

  private static let moved = "use: [sign_in], rp_id: b.test, rp_id_from: {id: a.test, until: 2030-01-01}"

  @Test(
    "an earlier relying party admits something until its day",
    arguments: [
      ("use: [sign_in], rp_id: b.test", Relation.weaker, Relation.stricter),
      (moved.replacing("2030-01-01", with: "2029-12-31"), .weaker, .stricter),
      (moved.replacing("a.test", with: "c.test"), .incomparable, .incomparable),
    ])
  func former(without: String, there: Relation, back: Relation) throws {
    let found = try diff(without, Self.moved)
    #expect(found.map(\.subject) == ["passkeys.rp_id_from"] && found.map(\.relation) == [there])
    #expect(try diff(Self.moved, without).map(\.relation) == [back])
  }

  @Test("an offer admits nothing, in any account that gets it")
  func upgrade() throws {
    let found = try diff("use: [sign_in]", "use: [sign_in], upgrade: {from: 2027-01-01}")
    #expect(
      found.map(\.sentence) == [#"passkeys.upgrade: nothing → {"from":"2027-01-01","when":{}}"#], "\(found)")
    #expect(found.map(\.relation) == [.neutral] && found.map(\.isTrust) == [false])
  }

  @Test("a use more is a way in, or a demand: it can not be compared")
  func use() throws {
    func file(_ use: String) throws -> PolicyFile {
      try read(ReadingTests.base + "mfa: {factors: [totp, passkey]}\npasskeys: {use: [\(use)]}\n")
    }
    let found = PolicyFile.diff(try file("second_factor"), try file("sign_in, second_factor"))
    #expect(found.map(\.sentence) == ["passkeys.use: [second_factor] → [second_factor, sign_in]"])
    #expect(found.map(\.relation) == [.incomparable] && found.map(\.isTrust) == [false])
  }

  @Test(
    "where passkeys work is trust, and what authenticators have to prove is not, but for their roots",
    arguments: [
      ("use: [sign_in], rp_id: a.test", true),
      ("use: [sign_in], rp_id: a.test, rp_id_from: {id: b.test, until: 2030-01-01}", true),
      ("use: [sign_in], upgrade: {from: 2027-01-01}", false), ("use: [sign_in], origins: [\"https://a.test\"]", true),
      ("use: [sign_in], apps: {apple: [TEAM123456.com.acme.app]}", true), (direct("roots: [\(root)]"), true),
      ("use: [sign_in], synced: false", false), ("use: [sign_in], counter: refuse", false),
      ("use: [sign_in], user_verification: preferred", false),
    ])
  func trust(keys: String, isTrust: Bool) throws {
    #expect(try diff("use: [sign_in]", keys).contains(where: \.isTrust) == isTrust)
  }
}
