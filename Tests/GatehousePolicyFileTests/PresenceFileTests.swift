import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("presence: in a policy file")
struct PresenceFileTests {
  @Test("a file that is silent shows presence to users for twenty minutes, as stored revisions do")
  func silent() throws {
    #expect(try read(ReadingTests.base).policy.presence == PresencePolicy(idle: 1200, visibleTo: .users))
    let stored = try PolicyFile.read(ReadingTests.base, name: "acme revision 1", as: .stored(.first)).get()
    #expect(stored.policy.presence == PresencePolicy(idle: 1200, visibleTo: .users))
  }

  @Test(
    "each key is read by itself",
    arguments: [
      ("{idle: 1m}", PresencePolicy(idle: 60, visibleTo: .users)),
      ("{idle: 24h, visible_to: self}", PresencePolicy(idle: 86_400, visibleTo: .`self`)),
      ("{visible_to: self}", PresencePolicy(idle: 1200, visibleTo: .`self`)),
    ])
  func keys(text: String, expected: PresencePolicy) throws {
    #expect(try read(ReadingTests.base + "presence: \(text)\n").policy.presence == expected)
  }

  @Test(
    "what is out of bounds is refused with what is allowed",
    arguments: [
      ("{idle: 59s}", "from 1m to 1d"), ("{idle: 25h}", "from 1m to 1d"), ("{idle: 20}", "from 1m to 1d"),
      ("{visible_to: admin}", "self, users"), ("{away: 5m}", "idle, visible_to"),
    ])
  func refused(text: String, allowed: String) {
    let found = findings(ReadingTests.base + "presence: \(text)\n")
    #expect(found.contains(allowed), "\(found)")
  }
}
