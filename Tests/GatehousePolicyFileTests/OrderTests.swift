import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("The order of a file")
struct OrderTests {
  /// The document as JSON with the keys of some maps shuffled: JSON is YAML.
  private func shuffled(_ node: Node, depth: Int, deep: Bool, _ random: inout SeededGenerator) -> JSONText {
    switch node.content {
    case .scalar(let text, let style):
      if style == .plain, text.isEmpty || text == "null" { return .null }
      if let number = node.integer { return .integer(number) }
      if let flag = node.truth { return .boolean(flag) }
      return .string(text)
    case .list(let nodes):
      return .array(nodes.map { shuffled($0, depth: depth + 1, deep: deep, &random) })
    case .map(let entries):
      let members = entries.map { ($0.key, shuffled($0.value, depth: depth + 1, deep: deep, &random)) }
      return .object(depth == 0 || deep ? members.shuffled(using: &random) : members)
    }
  }

  private func seen(_ decision: Decision) -> Decision {
    var decision = decision
    for index in decision.trace.indices { decision.trace[index].line = 0 }
    return decision
  }

  @Test("a decision does not depend on the order of the sections", arguments: PoliciesTests.paths)
  func sections(path: String) throws {
    var random = SeededGenerator()
    let file = try read(String(decoding: try Repository.bytes(path), as: UTF8.self))
    let root = try #require(file.document.root)
    for _ in 0..<12 {
      let other = try read(shuffled(root, depth: 0, deep: false, &random).text())
      #expect(other.policy.canonicalJSON == file.policy.canonicalJSON, "seed \(SeededGenerator.seed)")
      #expect(PolicyFile.diff(file, other).isEmpty, "seed \(SeededGenerator.seed)")
      for _ in 0..<150 {
        let door = Door.allCases[Int.random(in: 0..<Door.allCases.count, using: &random)]
        let facts = RandomUsers.facts(file.policy, at: door, &random)
        let instant = date(["2026-12-01", "2027-06-01"][Int.random(in: 0...1, using: &random)])
        let one = file.policy.decide(door, facts, at: instant, using: SmallLists())
        let two = other.policy.decide(door, facts, at: instant, using: SmallLists())
        #expect(seen(one) == seen(two), "seed \(SeededGenerator.seed) \(door) \(facts)")
      }
    }
  }

  @Test("nor do its substance and the digest's text depend on the order of any map", arguments: PoliciesTests.paths)
  func maps(path: String) throws {
    var random = SeededGenerator()
    let file = try read(String(decoding: try Repository.bytes(path), as: UTF8.self))
    let root = try #require(file.document.root)
    for _ in 0..<12 {
      let other = try read(shuffled(root, depth: 0, deep: true, &random).text())
      #expect(other.policy.canonicalJSON == file.policy.canonicalJSON, "seed \(SeededGenerator.seed)")
      #expect(PolicyFile.diff(file, other).isEmpty, "seed \(SeededGenerator.seed)")
      for _ in 0..<100 {
        let door = Door.allCases[Int.random(in: 0..<Door.allCases.count, using: &random)]
        let facts = RandomUsers.facts(file.policy, at: door, &random)
        let one = file.policy.decide(door, facts, at: date("2026-12-01"), using: SmallLists())
        let two = other.policy.decide(door, facts, at: date("2026-12-01"), using: SmallLists())
        #expect(one.allow == two.allow && one.access == two.access, "seed \(SeededGenerator.seed)")
        #expect(
          Set(one.violations.map(\.rule)) == Set(two.violations.map(\.rule)),
          "seed \(SeededGenerator.seed) \(door) \(facts)")
        #expect(Set(one.warnings.map(\.rule)) == Set(two.warnings.map(\.rule)), "seed \(SeededGenerator.seed)")
        #expect(one.normalised == two.normalised && Set(one.next) == Set(two.next), "seed \(SeededGenerator.seed)")
      }
    }
  }

  @Test("normalising twice changes nothing more", arguments: PoliciesTests.paths)
  func idempotent(path: String) throws {
    var random = SeededGenerator()
    let policy = try read(String(decoding: try Repository.bytes(path), as: UTF8.self)).policy
    var checked = 0
    for _ in 0..<3000 {
      let door: Door = [.adminCreate, .import, .adminUpdate][Int.random(in: 0...2, using: &random)]
      var facts = RandomUsers.facts(policy, at: door, &random)
      let once = policy.decide(door, facts, at: date("2026-12-01"), using: SmallLists())
      guard once.allow else { continue }
      checked += 1
      facts.email = once.normalised.email
      facts.profile = once.normalised.profile
      let twice = policy.decide(door, facts, at: date("2026-12-01"), using: SmallLists())
      #expect(
        twice.allow && twice.normalised == once.normalised,
        "seed \(SeededGenerator.seed) \(facts) \(twice.violations.map(\.rule))")
    }
    #expect(checked > 20, "seed \(SeededGenerator.seed)")
  }
}
