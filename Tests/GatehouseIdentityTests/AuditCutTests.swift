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

@Suite("A log that was cut, and its exports")
struct AuditCutTests {
  private func archive(_ seed: UInt64, key: P256PrivateKey? = nil) throws -> AuditArchive {
    var random = Seeded(state: seed)
    return try AuditArchive(&random, key: key ?? PublicJWK.generateKey())
  }

  /// One change to a file.
  private static func change(_ lines: inout [[UInt8]], _ random: inout Seeded) {
    let place = Int.random(in: lines.indices, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: place)
    case 2: lines.swapAt(place, (place + 1) % lines.count)
    case 3: lines.removeLast(lines.count - max(1, place))
    case 4:
      let digits = lines[place].indices.filter { (0x30...0x39).contains(lines[place][$0]) }
      guard let at = digits.randomElement(using: &random) else { return }
      lines[place][at] = lines[place][at] == 0x37 ? 0x38 : 0x37
    default: lines[place] = Array(String(decoding: lines[place], as: UTF8.self).replacing("}", with: #","x":1}"#).utf8)
    }
  }

  /// One change to what is stored.
  private static func change(_ archive: inout AuditArchive, _ random: inout Seeded) {
    let place = Int.random(in: archive.present.indices, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: archive.present.remove(at: place)
    case 1: archive.present[place].row = nil
    case 2: archive.present[place].row?.actor += " "
    case 3: archive.present[place].row?.event = "user_created"
    case 4: archive.present[place].row?.erasable.address = "192.0.2.1"
    case 5: archive.present[place].link.hash[3] ^= 1
    case 6: archive.present[place].link.commitment[0] ^= 1
    case 7: archive.present.removeFirst(place + 1)
    case 8: archive.present.removeLast(place + 1)
    case 9: archive.cuts.removeLast()
    case 10: archive.cuts[archive.cuts.count - 1].token += "A"
    default:
      archive.cuts[archive.cuts.count - 1].seq += 1
      archive.present.removeFirst()
    }
  }

  @Test("T121 files and log are one chain that holds, and any one change on either side is found")
  func changes() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = Seeded(state: seed)
    let key = try PublicJWK.generateKey()
    for _ in 0..<20 {
      let whole = try AuditArchive(&random, key: key)
      #expect(whole.finding == nil, "seed \(seed)")
      for _ in 0..<20 {
        var changed = whole
        let file = Int.random(in: changed.files.indices, using: &random)
        Self.change(&changed.files[file], &random)
        #expect(changed.files == whole.files || changed.finding != nil, "a file, seed \(seed)")
        changed = whole
        Self.change(&changed, &random)
        #expect(changed.finding != nil, "the log, seed \(seed)")
      }
    }
  }

  @Test("T121 a cut beyond what was exported is found, at the first entry that is nowhere")
  func beyond() throws {
    var archive = try archive(1)
    archive.files.removeLast()
    let finding = archive.finding
    #expect(finding?.kind == .deleted && finding?.seq == archive.cuts[0].seq + 1)
  }

  @Test("T121 the last file alone joins the log, and the first is checked when it is given")
  func lastFile() throws {
    var archive = try archive(2)
    archive.files.removeFirst()
    #expect(archive.finding == nil)
  }

  @Test("T121 a file that begins in the middle of what was cut is not all of it")
  func front() throws {
    let key = try PublicJWK.generateKey()
    // One whose second file has several entries.
    var made = try archive(0, key: key)
    for seed in 1..<50 where made.cuts[1].seq <= made.cuts[0].seq + 2 { made = try archive(UInt64(seed), key: key) }
    try #require(made.cuts[1].seq > made.cuts[0].seq + 2)
    made.files = [try made.later()]
    #expect(made.finding?.kind == .deleted && made.finding?.seq == 1)
  }

  @Test("T121 files in another order are refused")
  func order() throws {
    var archive = try archive(3)
    archive.files.reverse()
    #expect(archive.finding != nil)
  }

  @Test("T121 an export by another key is not the tenant's, however whole it is")
  func foreignKey() throws {
    let mine = try archive(4)
    var changed = mine
    changed.files = try archive(4).files
    #expect(changed.finding?.kind == .forged)
  }

  @Test("T121 an attacker with the database cannot sign a mark: a cut by another key is forged")
  func foreignMark() throws {
    var archive = try archive(5)
    let last = try #require(archive.present.first)
    let cut = AuditCut(
      seq: last.link.seq, hash: last.link.hash, export: SHA256.digest("mine"), row: UUID(), actor: "operator:eve",
      signedAt: Date())
    archive.cuts = [
      StoredAuditCut(
        seq: cut.seq, row: cut.row, token: try cut.signed(for: archive.tenant, by: PublicJWK.generateKey()))
    ]
    archive.present.removeFirst()
    archive.files = []
    #expect(archive.finding?.kind == .forged)
  }

  @Test("T121 a signed mark that no entry of the log records does not count")
  func unrecorded() throws {
    var archive = try archive(6)
    let last = try #require(archive.present.first)
    let cut = AuditCut(
      seq: last.link.seq, hash: last.link.hash, export: SHA256.digest("mine"), row: UUID(), actor: "operator:eve",
      signedAt: Date())
    archive.cuts = [
      StoredAuditCut(seq: cut.seq, row: cut.row, token: try cut.signed(for: archive.tenant, by: archive.key))
    ]
    archive.present.removeFirst()
    archive.files = []
    #expect(archive.finding?.kind == .forged && archive.finding?.row == cut.row)
  }

  @Test("T121 a log that lacks its first entries, and was never cut, is found")
  func noMark() throws {
    var archive = try archive(7)
    archive.cuts = []
    archive.files = []
    #expect(archive.finding?.kind == .deleted)
  }

  @Test("T121 an entry of a file that is erased later, with its salt, is found, even if an entry says it was")
  func erasedLater() throws {
    var archive = try archive(8)
    let salted = archive.files[0].indices.first { index in
      if case .row(let linked)? = AuditFile.read(archive.files[0][index]) { linked.link.salt != nil } else { false }
    }
    let index = try #require(salted)
    guard case .row(var linked)? = AuditFile.read(archive.files[0][index]), var row = linked.row else { return }
    linked.link.salt = nil
    row.erasable = TrailRow.Erasable(requestID: nil, address: nil, details: Array("{}".utf8))
    archive.files[0][index] = AuditFile.line(linked.link, row)
    var check = AuditFileCheck()
    for line in archive.files[0] { check.take(line) }
    #expect(check.finish(fingerprint: nil)?.finding?.kind == .edited, "also without the log")
  }

  @Test("T121 the end of a copy is no head, and a head is no copy")
  func types() throws {
    let tenant = UUID()
    let key = try PublicJWK.generateKey()
    let extract = AuditExtract(
      after: 0, seq: 9, hash: SHA256.digest("h"), erasures: SHA256.digest("e"), latest: 1, before: 2,
      signedAt: Date(timeIntervalSince1970: 1_800_000_000))
    let token = try extract.signed(for: tenant, by: key)
    #expect(AuditExtract(token, of: tenant, key: key.publicKey) == extract)
    #expect(AuditHead(token, of: tenant, key: key.publicKey) == nil)
    #expect(AuditCut(token, of: tenant, key: key.publicKey) == nil)
    #expect(AuditExtract(token, of: UUID(), key: key.publicKey) == nil)
    let head = AuditHead(seq: 9, hash: SHA256.digest("h"), signedAt: extract.signedAt)
    #expect(AuditExtract(try head.signed(for: tenant, by: key), of: tenant, key: key.publicKey) == nil)
  }
}
