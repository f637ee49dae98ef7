import Testing

@testable import GatehousePrimitives

@Suite struct PasswordCostTests {
  /// From the cheapest that is recognised to the dearest.
  private static let costs = [
    PasswordCost(memory: 8, passes: 1), PasswordCost(memory: 8, passes: 16), PasswordCost(memory: 9, passes: 16),
    PasswordCost(memory: 64, passes: 3), PasswordCost(memory: 1000, passes: 7), PasswordCost(memory: 12_288, passes: 3),
    PasswordCost(memory: 19_456, passes: 2), PasswordCost(memory: 19_457, passes: 2),
    PasswordCost(memory: 47_104, passes: 1), PasswordCost(memory: 65_536, passes: 3),
    PasswordCost(memory: 262_144, passes: 16),
  ]

  @Test("the default is OWASP's minimum: 19 MiB, two passes")
  func minimum() { #expect(PasswordCost.owaspMinimum.memory == 19 * 1024 && PasswordCost.owaspMinimum.passes == 2) }

  @Test(
    "no cost is beyond what a stored hash may ask for",
    arguments: [(UInt32(0), UInt32(0), UInt32(8), UInt32(1)), (.max, .max, 262_144, 16)])
  func bounds(memory: UInt32, passes: UInt32, least: UInt32, fewest: UInt32) {
    let cost = PasswordCost(memory: memory, passes: passes)
    #expect(cost.memory == least && cost.passes == fewest)
  }

  @Test("T026 what a cheaper hash leaves of a dearer one's work is one hash, in no more memory")
  func rest() throws {
    for cost in Self.costs {
      for done in Self.costs where done.work < cost.work {
        let rest = try #require(cost.rest(after: done.work), "\(cost) \(done)")
        #expect((cost.work..<cost.work + 16).contains(done.work + rest.work), "\(cost) \(done) \(rest)")
        #expect(rest.memory <= cost.memory && rest.passes <= cost.passes, "\(cost) \(done) \(rest)")
      }
    }
  }

  @Test("nothing is left after a hash of the same work or more")
  func nothingLeft() {
    for cost in Self.costs {
      for done in Self.costs where done.work >= cost.work { #expect(cost.rest(after: done.work) == nil) }
    }
  }

  /// What one check costs where new hashes cost 64 KiB and two passes, and the verdict.
  private func check(_ password: String, _ stored: String?) throws -> (verdict: PasswordVerdict, work: UInt64) {
    var work: UInt64 = 0
    let hashes = PasswordHashes(cost: PasswordCost(memory: 64, passes: 2))
    let verdict = hashes.verify(try Password(password), against: stored, counting: &work)
    return (verdict, work)
  }

  private func stored(_ memory: UInt32, _ passes: UInt32) throws -> String {
    var work: UInt64 = 0
    let hashes = PasswordHashes(cost: PasswordCost(memory: memory, passes: passes))
    return try hashes.hash(try Password("p"), counting: &work)
  }

  @Test(
    "T026 a wrong password costs what no account costs, at a hash of the same cost and at cheaper ones",
    arguments: [(64, 2), (8, 1), (64, 1), (8, 15), (120, 1)] as [(UInt32, UInt32)])
  func wrong(memory: UInt32, passes: UInt32) throws {
    let (verdict, work) = try check("q", try stored(memory, passes))
    let (none, unknown) = try check("q", nil)
    #expect(verdict == .differs && none == .differs)
    #expect(unknown == 128 && work == unknown)
  }

  @Test("T026 a stored hash that no scheme recognises costs what no account costs")
  func unreadable() throws { #expect(try check("q", "$2b$12$whatever") == (.unreadable, 128)) }

  @Test("a wrong password at a dearer hash costs what that hash costs, and no more")
  func dearer() throws { #expect(try check("q", try stored(64, 3)) == (.differs, 192)) }

  @Test("a right password costs what its hash costs", arguments: [(8, 1), (64, 3)] as [(UInt32, UInt32)])
  func right(memory: UInt32, passes: UInt32) throws {
    let (verdict, work) = try check("p", try stored(memory, passes))
    #expect(verdict == .matches(needsRehash: true) && work == UInt64(memory * passes))
  }

  @Test("T013 a hash of another cost is replaced, cheaper or dearer, even where the work is the same")
  func needsRehash() throws {
    let answers = try [(8, 1), (64, 2), (128, 1), (64, 3)].map { memory, passes in
      try check("p", try stored(UInt32(memory), UInt32(passes))).verdict
    }
    #expect(
      answers == [
        .matches(needsRehash: true), .matches(needsRehash: false), .matches(needsRehash: true),
        .matches(needsRehash: true),
      ])
  }
}
