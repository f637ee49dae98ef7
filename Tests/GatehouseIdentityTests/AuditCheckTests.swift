import Foundation
import GatehouseIdentity
import GatehousePrimitives
import Testing

/// A generator with a seed, so that a failure can be repeated.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

@Suite("A chain as such")
struct AuditCheckTests {
  private static func rows(_ count: Int, _ random: inout Seeded) -> [TrailRow] {
    (0..<count).map { number in
      TrailRow(
        id: UUID(), at: 1_800_000_000_000_000 + Int64(number) * 1_000_000, event: "user_updated",
        actor: Bool.random(using: &random) ? "anonymous" : "user:x",
        user: Bool.random(using: &random) ? UUID() : nil,
        session: nil, revision: Bool.random(using: &random) ? 1 : nil,
        erasable: TrailRow.Erasable(
          requestID: Bool.random(using: &random) ? "request-\(number)" : nil, address: "2001:db8::\(number)",
          details: Array(#"{"number":"\#(number)"}"#.utf8)))
    }
  }

  private static func sealed(_ rows: [TrailRow], _ chain: AuditChain, round: Int) -> [LinkedRow] {
    var previous = chain.start
    return rows.enumerated().map { index, row in
      let link = chain.link(
        row, seq: Int64(index + 1), after: previous,
        sealedAt: row.at / 1_000_000 / Int64(round) * Int64(round) * 1_000_000)
      previous = link.hash
      return LinkedRow(link: link, row: row)
    }
  }

  private static func verdict(_ chain: [LinkedRow], _ tenant: UUID, head: AuditHead, page: Int) -> AuditFinding? {
    var check = AuditCheck(tenant: tenant)
    var rest = chain[...]
    while !rest.isEmpty {
      check.take(Array(rest.prefix(page)))
      rest = rest.dropFirst(page)
    }
    return check.finish(head: head)
  }

  @Test("T121 any chain holds in pages of any size, and no chain after any one change")
  func changes() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = Seeded(state: seed)
    for _ in 0..<40 {
      let tenant = UUID()
      let rows = Self.rows(Int.random(in: 3...40, using: &random), &random)
      let whole = Self.sealed(rows, AuditChain(tenant: tenant), round: Int.random(in: 1...9, using: &random))
      let head = AuditHead(seq: Int64(whole.count), hash: whole[whole.count - 1].link.hash, signedAt: Date())
      let page = Int.random(in: 1...50, using: &random)
      #expect(Self.verdict(whole, tenant, head: head, page: page) == nil, "seed \(seed)")
      #expect(Self.verdict(whole, UUID(), head: head, page: page) != nil, "another tenant's, seed \(seed)")
      let place = Int.random(in: whole.indices, using: &random)
      var changed = whole
      switch Int.random(in: 0..<8, using: &random) {
      case 0: changed.remove(at: place)
      case 1: changed[place].row = nil
      case 2: changed[place].row?.actor += " "
      case 3: changed[place].row?.erasable.address = nil
      case 4: changed[place].link.hash[3] ^= 1
      case 5: changed[place].link.commitment[0] ^= 1
      case 6: changed[place].link.salt?[31] ^= 1
      default:
        let other = (place + 1) % whole.count
        changed.swapAt(place, other)
        let moved = changed[place].link.seq
        changed[place].link.seq = changed[other].link.seq
        changed[other].link.seq = moved
      }
      let finding = Self.verdict(changed, tenant, head: head, page: page)
      #expect(finding != nil, "seed \(seed)")
      if changed.count == whole.count, let seq = finding?.seq { #expect(seq <= Int64(place + 1), "seed \(seed)") }
    }
  }

  @Test("T121 a row that was changed and sealed anew is found by the link behind it; the last one by the head")
  func sealedAnew() throws {
    var random = Seeded(state: 121)
    let tenant = UUID()
    let chain = AuditChain(tenant: tenant)
    let whole = Self.sealed(Self.rows(5, &random), chain, round: 1)
    let head = AuditHead(seq: 5, hash: whole[4].link.hash, signedAt: Date())
    #expect(Self.verdict(whole, tenant, head: head, page: 2) == nil)
    for place in whole.indices {
      var changed = whole
      var row = try #require(whole[place].row)
      row.actor = "operator:eve"
      let previous = place == 0 ? chain.start : whole[place - 1].link.hash
      let link = chain.link(row, seq: Int64(place + 1), after: previous, sealedAt: whole[place].link.sealedAt)
      changed[place] = LinkedRow(link: link, row: row)
      let finding = Self.verdict(changed, tenant, head: head, page: 2)
      #expect(finding?.seq == Int64(min(place + 2, 5)))
    }
  }

  @Test("moments keep their microseconds on the way to PostgreSQL's precision and back")
  func moments() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = Seeded(state: seed)
    for _ in 0..<10_000 {
      let moment = Int64.random(in: 0...4_000_000_000_000_000, using: &random)
      #expect(Date(microseconds: moment).microseconds == moment, "seed \(seed)")
    }
  }

  @Test("a line of an export reads back as what it was")
  func lines() throws {
    var random = Seeded(state: 7)
    let rows = Self.rows(20, &random)
    for linked in Self.sealed(rows, AuditChain(tenant: UUID()), round: 2) {
      let row = try #require(linked.row)
      guard case .row(let read)? = AuditFile.read(AuditFile.line(linked.link, row)) else {
        Issue.record("not a row")
        continue
      }
      #expect(read == linked)
    }
  }
}
