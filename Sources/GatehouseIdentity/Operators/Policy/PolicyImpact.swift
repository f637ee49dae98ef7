// What a policy would mean for all users of a tenant, in answers that take seconds at most: each says where the next
// one goes on.

import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy impact`.
package enum PolicyImpact {
  /// At most so many users are judged before an answer, and for so long.
  private static let mostUsers = 50_000
  private static let longest = Duration.seconds(2)

  package static func run(_ input: PolicyImpactOperation.Input, _ call: OperatorCall) async throws
    -> PolicyImpactOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let seen = try await call.call(tenant)
    let file = try OperatorCall.fileName(input.file)
    let limit = try OperatorCall.limit(input.limit, mostUsers, atMost: mostUsers)
    let begun = try input.cursor.map { try ImpactCursor(text: $0, of: input.text) }
    // The tests of the file ran before the first answer.
    let (candidate, notes) =
      begun == nil
      ? try await consider(input.text, file: file, of: tenant, call.services)
      : (try read(input.text, file: file), [])
    if let begun, begun.soFar.revision != seen.tenant.revision {
      throw OperatorError(
        .stale, "revision \(seen.tenant.revision) is live, not \(begun.soFar.revision): begin again",
        revision: seen.tenant.revision)
    }
    let store = call.services.store.open(tenant.id)
    let instant =
      try begun?.soFar.instant.date ?? input.at.map { try OperatorDay.instant($0, "at") }
      ?? candidate.horizon(from: seen.now)
    var impact = Impact(candidate, at: instant)
    if let begun { try impact.take(begun.soFar) }
    let total: Int
    if let begun { total = begun.soFar.total } else { total = try await store.userCount() }
    if input.sample == true {
      guard begun == nil else { throw Refusal.malformed("/cursor", "a sample is one answer") }
      let drawn = try await Impact.draw(
        candidate, against: seen.policy, from: impact, of: tenant, total: total, call.services)
      var answer = PolicyImpactOperation.Output(drawn, revision: seen.tenant.revision, total: total)
      answer.sampled = true
      if !call.who.allows(.userRead) { answer.forgetSamples() }
      if !notes.isEmpty { answer.notes = notes }
      return answer
    }
    let (found, next) = try await Impact.walk(
      candidate, against: seen.policy, from: impact, after: begun?.user, of: tenant, atMost: limit,
      within: longest, call.services)
    var answer = PolicyImpactOperation.Output(found, revision: seen.tenant.revision, total: total)
    if !call.who.allows(.userRead) { answer.forgetSamples() }
    if !notes.isEmpty { answer.notes = notes }
    answer.nextCursor = try next.map { try ImpactCursor(after: $0, answer).text(of: input.text) }
    return answer
  }

  /// The policy of a file that is asked about, with its notes.
  private static func consider(_ text: String, file: String, of tenant: TenantRecord, _ services: Services) async throws
    -> (policy: Policy, notes: [String])
  {
    let candidate = try await PolicyCandidate(text, file: file, services).besideLive(of: tenant, services)
    let asked = try candidate.asked()
    try candidate.demand(asked, isOf: tenant.name)
    let unserved = UnservedPolicy.problems(asked.policy, services)
    return (asked.policy, candidate.check.notes + unserved.map { "\(file) would not be applied: \($0.problem)" })
  }

  /// Reads a file that was asked about before.
  private static func read(_ text: String, file: String) throws -> Policy {
    switch PolicyFile.read(text, name: file, as: .question) {
    case .success(let read): return read.policy
    case .failure(let refusal):
      throw OperatorError(.refused, refusal.text(), findings: refusal.diagnostics.map(PolicyFinding.init))
    }
  }
}

/// Where a walk goes on, and what it found so far. A client that alters it falsifies only its own answer: the server
/// stores nothing from it.
struct ImpactCursor: Codable {
  var digest: String
  var after: String
  var soFar: PolicyImpactOperation.Output

  init(after: UserID, _ soFar: PolicyImpactOperation.Output) {
    digest = ""
    self.after = after.text
    self.soFar = soFar
  }

  /// Refuses what no answer about this text carried.
  init(text cursor: String, of text: String) throws {
    guard let bytes = Base64URL.decode(Array(cursor.utf8)[...]),
      let read = try? StrictDecoder.decode(
        ImpactCursor.self, from: bytes, limits: JSONParser.Limits(size: 512 * 1024), spelling: .contract),
      read.digest.utf8.elementsEqual(Hex.encode(SHA256.digest(text)).utf8), UserID(text: read.after) != nil
    else { throw Refusal.malformed("/cursor", "is not from an answer about this text") }
    self = read
  }

  var user: UserID? { UserID(text: after) }

  func text(of text: String) throws -> String {
    var cursor = self
    cursor.digest = Hex.encode(SHA256.digest(text))
    cursor.soFar.notes = nil
    return Base64URL.encode(try JSONEncoding.encode(cursor, spelling: .contract))
  }
}

extension PolicyImpactOperation.Output {
  fileprivate init(_ impact: Impact, revision: Int, total: Int) {
    self.init(
      revision: revision, instant: Timestamp(impact.instant), total: total, people: impact.users,
      active: impact.active,
      rules: impact.rules.map { rule in
        ImpactRule(
          rule: rule.subject.id, line: rule.subject.line, stage: rule.subject.stage.rawValue, passing: rule.passing,
          failing: rule.failing, newlyFailing: rule.newlyFailing, unknown: rule.unknown, samples: rule.samples)
      },
      loss: ImpactLoss(
        people: impact.loss.users, active: impact.loss.active, admins: impact.loss.admins,
        shutOut: impact.loss.shutOut, samples: impact.loss.samples), keeping: impact.keeping, gaining: impact.gaining,
      prompted: impact.prompted,
      passwords: ImpactPasswords(
        complying: impact.passwords.complying, breaking: impact.passwords.breaking,
        notMeasured: impact.passwords.notMeasured))
    if impact.factors.having + impact.factors.asked > 0 {
      factors = ImpactFactors(
        having: impact.factors.having, asked: impact.factors.asked, admins: impact.factors.admins)
    }
    passkeys = impact.passkeys.map { found in
      ImpactPasskeys(
        having: found.having, synced: found.synced, offered: found.offered, elsewhere: found.elsewhere,
        former: found.former, lost: found.lost)
    }
    if !impact.renames.isEmpty {
      renames = impact.renames.map {
        ImpactRename(
          field: $0.rename.field, renamedFrom: $0.rename.source, people: $0.people, filled: $0.filled,
          refused: $0.refused)
      }
    }
    guard !impact.leftovers.isEmpty else { return }
    leftovers = impact.leftovers.sorted { $0.key < $1.key }.map { ImpactLeftover(field: $0.key, people: $0.value) }
  }

  fileprivate mutating func forgetSamples() {
    for index in rules.indices { rules[index].samples = [] }
    loss.samples = []
  }

  /// Every number in it.
  fileprivate var numbers: [Int] {
    [
      total, people, active, keeping, gaining, prompted, loss.people, loss.active, loss.admins, loss.shutOut ?? 0,
      passwords.complying,
      passwords.breaking, passwords.notMeasured, factors?.having ?? 0, factors?.asked ?? 0, factors?.admins ?? 0,
      passkeys?.having ?? 0, passkeys?.synced ?? 0, passkeys?.offered ?? 0, passkeys?.elsewhere ?? 0,
      passkeys?.former ?? 0, passkeys?.lost ?? 0,
    ] + rules.flatMap { [$0.passing, $0.failing, $0.newlyFailing, $0.unknown] }
  }
}

extension Impact {
  /// Goes on with the counts of an answer before.
  fileprivate mutating func take(_ before: PolicyImpactOperation.Output) throws {
    // Numbers from outside are added to: bounded, no sum can overflow.
    guard before.rules.count == rules.count,
      (before.numbers + (before.leftovers ?? []).map(\.people)
        + (before.renames ?? []).flatMap { [$0.people, $0.filled, $0.refused] }).allSatisfy({
          (0...1 << 40).contains($0)
        }),
      zip(before.rules, rules).allSatisfy({ $0.rule.utf8.elementsEqual($1.subject.id.utf8) })
    else { throw Refusal.malformed("/cursor", "is not from an answer about this text") }
    (users, active, keeping, gaining, prompted) = (
      before.people, before.active, before.keeping, before.gaining, before.prompted
    )
    for (index, rule) in before.rules.enumerated() {
      rules[index].passing = rule.passing
      rules[index].failing = rule.failing
      rules[index].newlyFailing = rule.newlyFailing
      rules[index].unknown = rule.unknown
      rules[index].samples = Array(rule.samples.prefix(Impact.sampleSize))
    }
    (loss.users, loss.active, loss.admins) = (before.loss.people, before.loss.active, before.loss.admins)
    loss.shutOut = before.loss.shutOut ?? 0
    loss.samples = Array(before.loss.samples.prefix(Impact.sampleSize))
    passwords.complying = before.passwords.complying
    passwords.breaking = before.passwords.breaking
    passwords.notMeasured = before.passwords.notMeasured
    factors.having = before.factors?.having ?? 0
    factors.asked = before.factors?.asked ?? 0
    factors.admins = before.factors?.admins ?? 0
    passkeys = before.passkeys.map { known in
      Impact.Passkeys(
        having: known.having, synced: known.synced, offered: known.offered, elsewhere: known.elsewhere,
        former: known.former, lost: known.lost)
    }
    renames = (before.renames ?? []).map { known in
      var takeover = Impact.Takeover(Rename(field: known.field, source: known.renamedFrom))
      (takeover.people, takeover.filled, takeover.refused) = (known.people, known.filled, known.refused)
      return takeover
    }
    for leftover in before.leftovers ?? [] { leftovers[leftover.field] = leftover.people }
  }
}
