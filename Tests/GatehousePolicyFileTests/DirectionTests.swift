import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

@Suite("Which of two values is the stricter one")
struct DirectionTests {
  @Test("a change of any key of the language has a line of policy diff that names it")
  func named() throws {
    let unnamed = try TrustTests.walked.get().unnamed
    #expect(unnamed == [])
  }

  /// A key whose values nothing in that policy can tell apart would be in no line, so each has to be changed. The walk
  /// makes values by shape, so a new key is walked as well.
  @Test("every key with a direction of its own is changed in that walk")
  func whole() throws {
    let walk = try TrustTests.walked.get()
    let compared = KeyWalk.keys.filter { place in
      switch place.direction {
      case .decided, .keys, .nothing: false
      default: !place.isMap || place.direction == .moreMembersIsStricter
      }
    }
    // There is a single word that they may hold, beside the other keys of that policy.
    #expect(
      Set(compared.map(\.word)).subtracting(walk.changed) == ["identifiers.sign_in_with", "passkeys.attestation"])
    #expect(compared.count > 60)
  }

  @Test("a line that does not name the key, and a section without a line, are no answer")
  func negativeControl() throws {
    let place = try #require(KeyWalk.keys.first { $0.word == "sessions.reuse_grace" })
    func change(_ subject: String, _ sentence: String) -> PolicyChange {
      PolicyChange(subject: subject, relation: .weaker, sentence: sentence, oldLine: nil, newLine: nil)
    }
    #expect(!place.isNamed(by: []))
    #expect(!place.isNamed(by: [change("sessions", "sessions changed in a way that cannot be described")]))
    #expect(!place.isNamed(by: [change("sessions.max_per_user", "sessions.max_per_user: 1 → 2")]))
    #expect(place.isNamed(by: [change("sessions.reuse_grace", "sessions.reuse_grace: 10s → 20s")]))
  }

  /// The kinds of values that a direction can compare.
  private func fits(_ direction: Direction, _ shape: Shape) -> Bool {
    switch (direction, shape) {
    case (.moreIsStricter, .integer), (.moreIsStricter, .duration), (.lessIsStricter, .integer),
      (.lessIsStricter, .duration), (.limit, .limit), (.keys, .map), (.earlierUntil, .map):
      true
    case (.fewerIsStricter, .list), (.fewerUnlessEmpty, .list), (.fewerUnlessAll, .list), (.members, .list),
      (.moreMembersIsStricter, .list),
      (.moreMembersIsStricter, .dictionary), (.moreMembersIsStricter, .either):
      true
    case (.words(let words, _), .choice(let all)): Set(words) == Set(all)
    case (.words(let words, _), .boolean): Set(words) == ["false", "true"]
    case (.words, .either), (.looks, _), (.unsure, _), (.decided, _): true
    default: false
    }
  }

  @Test("every key of a policy has a direction that can compare its values")
  func fitting() {
    let others = KeyWalk.keys.filter { !fits($0.direction, $0.shape) }.map(\.word)
    // They have a single value.
    #expect(Set(others) == ["schema", "profile.fields.*.store"])
    #expect(!fits(.lessIsStricter, .boolean) && !fits(.words(["a"]), .choice(["a", "b"])))
  }

  private static func until(_ id: String, _ day: String) -> JSONText {
    .object([("id", .string(id)), ("until", .string(day))])
  }

  @Test(
    "a direction judges both ways",
    arguments: [
      (.moreIsStricter, .integer(1), .integer(2), .stricter, .weaker),
      (.lessIsStricter, .integer(1), .integer(2), .weaker, .stricter),
      (.fewerIsStricter, .strings(["a"]), .strings(["a", "b"]), .weaker, .stricter),
      (.fewerIsStricter, .strings([]), .strings(["a"]), .weaker, .stricter),
      (.fewerUnlessEmpty, .strings([]), .strings(["a"]), .incomparable, .incomparable),
      (.fewerUnlessAll, .strings([]), .strings(["a"]), .stricter, .weaker),
      (.fewerUnlessAll, .strings(["a"]), .strings(["a", "b"]), .weaker, .stricter),
      (.moreMembersIsStricter, .strings([]), .strings(["a"]), .stricter, .weaker),
      (.members, .strings(["a", "b"]), .strings(["b", "a"]), .neutral, .neutral),
      (.members, .strings(["a"]), .strings(["b", "a"]), .incomparable, .incomparable),
      (.words(["a", "b", "c"], unsureInto: "c"), .string("a"), .string("b"), .stricter, .weaker),
      (.words(["a", "b", "c"], unsureInto: "c"), .string("a"), .string("c"), .incomparable, .weaker),
      (.onIsStricter, .boolean(false), .boolean(true), .stricter, .weaker),
      (.limit, .string("10/1m"), .string("5/1m"), .stricter, .weaker),
      (.limit, .null, .string("5/1m"), .incomparable, .incomparable),
      (.earlierUntil, .null, until("a", "2030-01-01"), .weaker, .stricter),
      (.earlierUntil, until("a", "2030-01-01"), until("a", "2030-01-02"), .weaker, .stricter),
      (.earlierUntil, until("a", "2030-01-01"), until("b", "2030-01-01"), .incomparable, .incomparable),
      (.looks, .string("a"), .string("b"), .neutral, .neutral),
      (.unsure, .string("a"), .string("b"), .incomparable, .incomparable),
      (.lessIsStricter, .string("a"), .integer(1), .incomparable, .incomparable),
    ] as [(Direction, JSONText, JSONText, Relation, Relation)])
  func relations(_ direction: Direction, _ old: JSONText, _ new: JSONText, _ there: Relation, _ back: Relation) {
    #expect(direction.relation(old, new) == there)
    #expect(direction.relation(new, old) == back)
    #expect(direction.relation(old, old) == .neutral)
  }
}
