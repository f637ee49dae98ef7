import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit export`: a copy that others can check, some thousand lines in each answer.
///
/// The lines are as `AuditFile` has them, up to the head of the moment when the copy began; what waited then is sealed
/// first. Each part is checked before it is given out; that the whole holds is seen by `AuditFileCheck` alone. Throws
/// `OperatorError` where it would export what does not hold.
package enum ExportAudit {
  /// Lines in one part.
  static let most = 2000

  package static func run(_ input: ExportAuditOperation.Input, _ call: OperatorCall) async throws
    -> ExportAuditOperation.Output
  {
    // Nothing of it can be left out without breaking the hashes.
    try call.who.require(.userRead)
    guard (0...1_000_000_000_000).contains(input.after ?? 0) else {
      throw Refusal.malformed("/after", "must be 0 to 1000000000000")
    }
    let tenant = try await call.log(input.tenant)
    if input.cursor == nil {
      // A copy is an event of the audit log that it copies.
      let store = call.services.store.open(tenant.id)
      try await store.commit([.audit(try call.entry(.auditExported))], as: .operator)
      try await AuditTrail.seal(tenant, call.services)
    }
    let trail = try await AuditTrail(tenant, call.services)
    guard let key = trail.key, let last = trail.head, let newest = trail.state.token, trail.problem == nil else {
      throw broken(tenant, trail.problem?.why ?? "it has no head")
    }
    if let before = input.before {
      return try await ExtractAudit(trail: trail, key: key, last: last, before: before.seconds).part(
        after: trail.from(input.after), cursor: input.cursor)
    }
    let place = try input.cursor.map { try Place($0) }
    let token = place?.head ?? newest
    guard let head = place == nil ? last : AuditHead(token, of: tenant.id.uuid, key: key.publicKey) else {
      throw Place.unknown
    }
    let from = trail.from(input.after)
    let begin = place?.seq ?? from
    guard begin < head.seq else {
      throw OperatorError(.notFound, "the audit log of \(tenant.shown) ends at \(head.seq)")
    }
    var check = AuditCheck(
      tenant: tenant.id.uuid, after: begin, previous: try await trail.hash(at: begin))
    var lines: [[UInt8]] = []
    if place == nil { lines.append(trail.opening(after: from, previous: check.hash, key)) }
    while check.seq < head.seq, lines.count < most {
      let links = try await trail.links(after: check.seq, upTo: head.seq)
      check.take(links)
      if let finding = check.finding { throw broken(tenant, finding.why) }
      guard !links.isEmpty else { throw broken(tenant, "it ends at \(check.seq)") }
      for linked in links { if let row = linked.row { lines.append(AuditFile.line(linked.link, row)) } }
    }
    guard check.seq >= head.seq else { return answer(lines, Place(seq: check.seq, head: token)) }
    guard ConstantTime.equal(check.hash, head.hash) else { throw broken(tenant, "its head is another's") }
    if let finding = try await trail.beside(check) { throw broken(tenant, finding.why) }
    return answer(lines + [AuditFile.line(head: token)], nil)
  }

  private static func answer(_ lines: [[UInt8]], _ next: Place?) -> ExportAuditOperation.Output {
    ExportAuditOperation.Output(lines: lines.map { String(decoding: $0, as: UTF8.self) }, nextCursor: next?.text)
  }

  private static func broken(_ tenant: AuditScope, _ why: String) -> OperatorError {
    AuditTrail.broken(tenant, why)
  }

  /// How far a copy has got, and up to which head it goes.
  private struct Place {
    static let unknown = Refusal.malformed("/cursor", "is not from this list")

    let seq: Int64
    let head: String

    init(seq: Int64, head: String) {
      self.seq = seq
      self.head = head
    }

    /// Reads `text`; refuses anything else.
    init(_ text: String) throws {
      guard let dot = text.firstIndex(of: "."), let seq = Int64(text[..<dot]), (1...1_000_000_000_000).contains(seq)
      else { throw Self.unknown }
      self.init(seq: seq, head: String(text[text.index(after: dot)...]))
    }

    var text: String { "\(seq).\(head)" }
  }
}

/// The parts of an export, put together.
package enum AuditCopy {
  /// Checks the copy on the way, wherever it comes from: a client that writes the copy down need not trust the server
  /// that made it. Throws `OperatorError` at its end if it does not hold.
  package static func write(
    _ part: (_ cursor: String?) async throws -> ExportAuditOperation.Output, to write: (String) throws -> Void
  ) async throws {
    var check = AuditFileCheck()
    var cursor: String?
    repeat {
      let output = try await part(cursor)
      for line in output.lines {
        check.take(Array(line.utf8))
        try write(line)
      }
      cursor = output.nextCursor
    } while cursor != nil
    guard let verdict = check.finish(fingerprint: nil), verdict.finding == nil else {
      throw OperatorError(.stale, "a user was erased during the export: the copy is inconsistent", hint: "export again")
    }
  }
}

extension AuditTrail {
  /// Where a copy begins that was asked for from behind a number; nil and 0 are the beginning of the log.
  fileprivate func from(_ after: Int?) -> Int64 { after.flatMap { $0 == 0 ? nil : Int64($0) } ?? beginning.after }

  /// The hash of the entry that a copy begins behind. Throws `OperatorError` where that entry was cut, or never was.
  func hash(at seq: Int64) async throws -> [UInt8]? {
    guard seq > 0 else {
      guard beginning.after == 0 else { throw wasCut }
      return nil
    }
    guard seq != beginning.after else { return beginning.hash }
    guard seq > beginning.after else { throw wasCut }
    return try await store.auditLinks(after: seq - 1, limit: 1).first?.link.hash
  }

  private var wasCut: OperatorError {
    OperatorError(
      .notFound, "the log of \(tenant.shown) was cut up to \(beginning.after)",
      hint: "leave out --after, or give a later number")
  }

  /// The first line of a copy.
  func opening(after: Int64, previous: [UInt8], _ key: P256PrivateKey) -> [UInt8] {
    AuditFile.line(
      AuditFile.Opening(
        tenantName: tenant.name, tenant: tenant.id.uuid, key: key.publicKey, after: after,
        previous: previous, cut: after == beginning.after ? beginning.token : nil))
  }
}
