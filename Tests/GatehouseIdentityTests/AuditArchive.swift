import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// A log that was cut twice, with the files that hold what was cut: as a server and its store would have them.
struct AuditArchive {
  let tenant = UUID()
  let key: P256PrivateKey
  /// All entries that ever were, in their order.
  private(set) var log: [LinkedRow] = []
  /// The lines of the exported files.
  var files: [[[UInt8]]] = []
  /// What is still stored.
  var present: [LinkedRow] = []
  var cuts: [StoredAuditCut] = []
  var head: AuditHead?
  private var clock: Int64 = 1_800_000_000_000_000
  private var former: AuditCut?

  init<Random: RandomNumberGenerator>(_ random: inout Random, key: P256PrivateKey) throws {
    self.key = key
    let gone = UUID()
    for _ in 0..<2 {
      add(Int.random(in: 3...12, using: &random), of: gone, &random)
      erase(gone)
      try cut(at: Int.random(in: Int((former?.seq ?? 0) + 1)..<log.count, using: &random))
    }
    add(Int.random(in: 2...9, using: &random), of: gone, &random)
    erase(gone)
    var deletion = row("user_deleted", actor: "user:\(gone.uuidString.lowercased())")
    deletion.user = gone
    seal(deletion)
    try sign()
    try carryOut(cuts.count)
  }

  /// Entries in rounds of a minute.
  private mutating func add<Random: RandomNumberGenerator>(_ count: Int, of user: UUID, _ random: inout Random) {
    for number in 0..<count {
      var made = row("user_updated", actor: Bool.random(using: &random) ? "anonymous" : "operator:x")
      made.user = Bool.random(using: &random) ? user : UUID()
      made.erasable.address = "2001:db8::\(number)"
      seal(made)
      if Bool.random(using: &random) { clock += 60_000_000 }
    }
  }

  private func row(_ event: String, actor: String, details: [String: String] = [:]) -> TrailRow {
    var object = JSONObject()
    for name in details.keys.sorted() { object[name] = details[name].map { .string($0) } }
    return TrailRow(
      id: UUID(), at: clock, event: event, actor: actor, user: nil, session: nil, revision: nil,
      erasable: TrailRow.Erasable(requestID: "r", address: nil, details: JSONValue.object(object).canonical.bytes))
  }

  private mutating func seal(_ row: TrailRow) {
    let chain = AuditChain(tenant: tenant)
    let link = chain.link(
      row, seq: Int64(log.count + 1), after: log.last?.link.hash ?? chain.start, sealedAt: clock)
    log.append(LinkedRow(link: link, row: row))
    present.append(LinkedRow(link: link, row: row))
  }

  /// As the deletion of a user does it, in what is stored.
  private mutating func erase(_ user: UUID) {
    for index in present.indices where present[index].row?.user == user {
      present[index].link.salt = nil
      present[index].row?.erasable = TrailRow.Erasable(requestID: nil, address: nil, details: Array("{}".utf8))
    }
  }

  /// Copies what is stored up to a number, and marks the cut; `carryOut` deletes.
  private mutating func cut(at seq: Int) throws {
    let after = former?.seq ?? 0
    let chain = AuditChain(tenant: tenant)
    let copied = present.filter { $0.link.seq > after && $0.link.seq <= Int64(seq) }
    guard let last = copied.last?.link else { return }
    var lines = [
      AuditFile.line(
        AuditFile.Opening(
          tenantName: "vibes", tenant: tenant, key: key.publicKey, after: after, previous: former?.hash ?? chain.start,
          cut: cuts.last?.token))
    ]
    var check = AuditCheck(tenant: tenant, after: after, previous: former?.hash)
    check.take(copied)
    for linked in copied { if let row = linked.row { lines.append(AuditFile.line(linked.link, row)) } }
    let extract = AuditExtract(
      after: after, seq: last.seq, hash: last.hash, erasures: check.erasures, latest: check.latest,
      before: clock / 1_000_000 + 1, signedAt: Date(timeIntervalSince1970: 1_800_000_000))
    lines.append(AuditFile.line(extract: try extract.signed(for: tenant, by: key)))
    files.append(lines)
    let digest = Self.digest(lines)
    let mark = row(
      "audit_cut", actor: "operator:olivia",
      details: AuditCut.details(seq: last.seq, hash: last.hash, export: digest))
    let cut = AuditCut(
      seq: last.seq, hash: last.hash, export: digest, row: mark.id, actor: mark.actor,
      signedAt: Date(timeIntervalSince1970: 1_800_000_000))
    cuts.append(StoredAuditCut(seq: last.seq, row: mark.id, token: try cut.signed(for: tenant, by: key)))
    former = cut
    seal(mark)
  }

  mutating func sign() throws {
    head = log.last.map { AuditHead(seq: $0.link.seq, hash: $0.link.hash, signedAt: Date()) }
  }

  /// Deletes what the first cuts let go.
  private mutating func carryOut(_ count: Int) throws {
    guard count > 0 else { return }
    let upTo = cuts[count - 1].seq
    present.removeAll { $0.link.seq <= upTo }
  }

  /// A copy that an operator took from behind some entry of the second file's, up to where that file ends.
  func later() throws -> [[UInt8]] {
    let copied = log.filter { $0.link.seq > cuts[0].seq + 1 && $0.link.seq <= cuts[1].seq }
    let before = log[Int(cuts[0].seq)].link
    guard let last = copied.last?.link else { return [] }
    var check = AuditCheck(tenant: tenant, after: before.seq, previous: before.hash)
    check.take(copied)
    let opening = AuditFile.Opening(
      tenantName: "vibes", tenant: tenant, key: key.publicKey, after: before.seq, previous: before.hash)
    let extract = AuditExtract(
      after: before.seq, seq: last.seq, hash: last.hash, erasures: check.erasures, latest: check.latest,
      before: clock / 1_000_000 + 1, signedAt: Date(timeIntervalSince1970: 1_800_000_000))
    var lines = [AuditFile.line(opening)]
    for linked in copied { if let row = linked.row { lines.append(AuditFile.line(linked.link, row)) } }
    return lines + [AuditFile.line(extract: try extract.signed(for: tenant, by: key))]
  }

  static func digest(_ lines: [[UInt8]]) -> [UInt8] { SHA256.digest(lines.flatMap { $0 + [0x0A] }) }

  /// What `audit verify --against` with all files comes to.
  var finding: AuditFinding? {
    var join = AuditJoin()
    for lines in files {
      var check = AuditFileCheck(behind: join.parts.last)
      for line in lines { check.take(line) }
      guard let verdict = check.finish(fingerprint: nil) else { return AuditFinding(.edited, "not an export") }
      if let finding = verdict.finding { return finding }
      guard let part = check.part(digest: Self.digest(lines)) else { return AuditFinding(.edited, "no part") }
      if let finding = join.add(part) { return finding }
    }
    let first = present.first?.link.seq
    let origin = StoredAuditOrigin(first: first, cuts: cuts.filter { $0.seq >= (first ?? 1) - 1 })
    switch AuditBeginning.find(origin, of: tenant, key: key.publicKey) {
    case .failure(let finding): return finding
    case .success(let beginning):
      let known = join.known.flatMap { AuditHead(known: $0, of: tenant, key: key.publicKey) }
      if join.known != nil, known == nil { return AuditFinding(.forged, "known") }
      var check = AuditCheck(
        tenant: tenant, after: beginning.after, previous: beginning.hash, head: head, awaited: known,
        cut: beginning.cut)
      check.take(present.filter { $0.link.seq > beginning.after })
      return check.finish(head: head)
        ?? join.finding(beforeLogBehind: beginning.after, export: beginning.cut?.export)
    }
  }
}
