// What a policy would mean for all stored users: each user is judged by it and by the live one, page by page.

package import Foundation
package import GatehousePolicy
import GatehousePrimitives

/// The effect of a candidate policy on the users of a tenant, compared with the live one.
package struct Impact: Sendable {
  /// One rule or requirement of the candidate.
  package struct Rule: Sendable {
    package let subject: StoredCheck.Subject
    package var passing = 0
    package var failing = 0
    /// Only a hash is stored: see `password`.
    package var unknown = 0
    /// Those failing who do not fail the live policy's rule of this id.
    package var newlyFailing = 0
    /// Addresses of some users who fail; those who fail newly come first.
    package var samples: [String] = []

    /// Counts one more who fails.
    fileprivate mutating func name(_ email: String, isNew: Bool) {
      failing += 1
      if isNew { newlyFailing += 1 }
      if isNew, newlyFailing <= Impact.sampleSize {
        samples = Array(([email] + samples).prefix(Impact.sampleSize))
      } else if samples.count < Impact.sampleSize {
        samples.append(email)
      }
    }
  }

  /// Users who would fall from full access to limited for more than a second factor, or lose their last way to sign in.
  package struct Loss: Sendable {
    package var users = 0
    /// Of them: seen within the last 30 days.
    package var active = 0
    /// Of them: administrators of the tenant.
    package var admins = 0
    /// Of them: without any way to sign in.
    package var shutOut = 0
    package var samples: [String] = []
  }

  /// Users who need a second factor under the candidate.
  package struct Factors: Sendable {
    /// Those with a factor that meets every demand.
    package var having = 0
    /// Those who are asked for one: access is limited until they add it, which each of them can.
    package var asked = 0
    /// Of those who are asked: administrators.
    package var admins = 0
  }

  /// Users and their passkeys, where the candidate or the live policy has them.
  package struct Passkeys: Sendable {
    /// Those with one.
    package var having = 0
    /// Of them: those with one that can be synced.
    package var synced = 0
    /// Those who would be offered one.
    package var offered = 0
    /// Those with one of another relying party than the candidate's, and than the one before that it names.
    package var elsewhere = 0
    /// Those with none but of the relying party before, which proves until its day.
    package var former = 0
    /// Those whose only way in is a passkey that would prove no more.
    package var lost = 0
  }

  /// The state of the passwords of users seen within the last 30 days, as their sign-ins measured it.
  package struct Passwords: Sendable {
    package var complying = 0
    package var breaking = 0
    package var notMeasured = 0
  }

  /// When the candidate was judged: its stages are those of this moment.
  package let instant: Date
  package var users = 0
  /// Seen within the last 30 days.
  package var active = 0
  package var rules: [Rule]
  package var loss = Loss()
  /// Users who would keep full access.
  package var keeping = 0
  /// Users who would come to full access.
  package var gaining = 0
  /// Users whose next sign-in would carry a warning.
  package var prompted = 0
  package var passwords = Passwords()
  package var factors = Factors()
  /// Nil where neither policy has passkeys.
  package var passkeys: Passkeys?
  /// How many users have a value of each field that the candidate does not have.
  package var leftovers: [String: Int] = [:]
  /// The effect of renames that the live policy does not have, in their order.
  package var renames: [Takeover] = []

  /// A rename, and the values that are to move.
  package struct Takeover: Sendable {
    package let rename: Rename
    /// So many users have a value under the former name.
    package var people = 0
    /// Of them: so many have one under the new name as well, which stays.
    package var filled = 0
    /// Of them: so many have a value that the field refuses.
    package var refused = 0

    /// No user has been counted yet.
    package init(_ rename: Rename) { self.rename = rename }
  }

  /// How many addresses are named for each rule.
  package static let sampleSize = 3

  /// No user has been counted yet. `instant`: when the candidate is judged; the live policy is judged now.
  package init(_ candidate: Policy, at instant: Date) {
    self.instant = instant
    rules = StoredCheck(candidate, at: instant).subjects.map { Rule(subject: $0) }
  }

  /// Judges all users of a tenant. Memory does not grow with their number.
  package static func measure(
    _ candidate: Policy, against live: Policy, at instant: Date, of tenant: TenantRecord, _ services: Services
  ) async throws -> Impact {
    try await walk(
      candidate, against: live, from: Impact(candidate, at: instant), after: nil, of: tenant, atMost: .max,
      within: nil, services
    ).found
  }

  /// Judges users by id until there are no more, `most` are judged or `time` is over; then `next` is where to go on.
  /// - Parameters:
  ///   - begun: what was counted before, up to `cursor`.
  package static func walk(
    _ candidate: Policy, against live: Policy, from begun: Impact, after cursor: UserID?, of tenant: TenantRecord,
    atMost most: Int, within time: Duration?, _ services: Services
  ) async throws -> (found: Impact, next: UserID?) {
    var count = Counting(candidate, live, from: begun, hosts: try await Hosts.of(tenant, services), services)
    let store = services.store.open(tenant.id)
    let next = try await UserScan.visitAhead(
      after: cursor, atMost: most, within: time, id: \.user.id,
      read: { try await store.users(after: $0, limit: $1) }, visit: { count.add($0) })
    return (count.impact, next)
  }

  /// The number of users that an estimate is made from: a share is then known to a hundredth.
  private static let sampled = 10_000

  /// Judges users who are drawn by chance.
  static func draw(
    _ candidate: Policy, against live: Policy, from begun: Impact, of tenant: TenantRecord, total: Int,
    _ services: Services
  ) async throws -> Impact {
    var count = Counting(candidate, live, from: begun, hosts: try await Hosts.of(tenant, services), services)
    let store = services.store.open(tenant.id)
    var drawn = try await store.drawUsers(sampled, of: total)[...]
    while !drawn.isEmpty {
      let batch = Array(drawn.prefix(UserScan.batch))
      drawn = drawn.dropFirst(batch.count)
      for user in try await store.users(scanning: batch) { count.add(user) }
    }
    return count.impact
  }
}

/// A walk over all users, while it runs.
private struct Counting {
  var impact: Impact
  private let comparison: StoredComparison
  private let livePolicy: Policy
  private let candidatePolicy: Policy
  /// Whether both policies know values by the same names.
  private let readsAlike: Bool
  private let fields: Set<String>
  private let passwordRules: [UInt8]
  private let requiresPassword: Bool
  private let facts: any FactSource
  /// The passkeys that open a session now, and those that would. Also of a later day both are those of now: until a
  /// former relying party ends, people make new ones.
  private let reach: (live: PasskeyReach, candidate: PasskeyReach)

  init(_ candidate: Policy, _ live: Policy, from begun: Impact, hosts: [TenantHost], _ services: Services) {
    let (instant, now) = (begun.instant, services.clock.now)
    readsAlike = candidate.profile.renames.isEmpty && live.profile.renames.isEmpty
    comparison = StoredComparison(
      StoredCheck(candidate, at: instant), against: StoredCheck(live, at: now), readsAlike: readsAlike)
    fields = Set(candidate.profile.fields.map(\.name))
    livePolicy = live
    candidatePolicy = candidate
    facts = services.facts
    func reach(_ policy: Policy) -> PasskeyReach {
      PasskeyReach(policy, hosts: hosts, publicURL: services.publicURL, at: now)
    }
    self.reach = (reach(live), reach(candidate))
    passwordRules = SHA256.digest(candidate.passwordRulesAtSignIn(at: instant))
    requiresPassword = candidate.requiresCompliantPassword(at: instant)
    impact = begun
    if impact.passkeys == nil, self.reach.live.isThere || self.reach.candidate.isThere {
      impact.passkeys = Impact.Passkeys()
    }
    if impact.renames.isEmpty { impact.renames = candidate.newRenames(against: live).map(Impact.Takeover.init) }
  }

  mutating func add(_ user: ScannedUser) {
    let hasPassword = user.user.passwordChangedAt != nil
    let stored = user.user.facts
    var read = stored
    if !readsAlike { read.profile = candidatePolicy.reading(read.profile, after: livePolicy) }
    let answer = comparison.judge(stored, as: read, hasPassword: hasPassword, using: facts)
    let new = answer.candidate
    impact.users += 1
    if user.isActive { impact.active += 1 }
    for field in read.profile.keys where !fields.contains(field) { impact.leftovers[field, default: 0] += 1 }
    count(renamesOf: user.user)
    count(answer, user.user.reference)
    let breaksPassword = measure(user, hasPassword)
    // GUARD: lock-out: a second factor that each user can add takes no access away
    let isLimited = new.isLimitedOtherwise || (breaksPassword && requiresPassword)
    guard user.user.disabledAt == nil else { return }
    count(factorsOf: read)
    if new.isPrompted { impact.prompted += 1 }
    let (before, after) = (user.waysIn(livePolicy, reach.live), user.waysIn(candidatePolicy, reach.candidate))
    let losesPasskey = user.losesPasskey(before, after)
    count(passkeysOf: user, read, isLost: losesPasskey)
    // GUARD: password door: who is shut out counts as locked out
    guard after.leadsBack || !before.leadsBack else {
      impact.loss.shutOut += 1
      return lose(user)
    }
    if losesPasskey { return lose(user) }
    switch (answer.liveAccess, new.access) {
    case (.full, _) where isLimited: lose(user)
    case (.limited, .full) where !isLimited: impact.gaining += 1
    case (.full, .full): impact.keeping += 1
    default: break
    }
  }

  private mutating func count(factorsOf user: StoredFacts) {
    let demands = candidatePolicy.demands.filter { demand in
      demand.enforcement.mode(at: impact.instant) == .enforce
        && candidatePolicy.concerns(demand, profile: user.profile)
    }
    guard !demands.isEmpty else { return }
    let isMet = demands.allSatisfy { candidatePolicy.reaches($0.level, user) }
    if isMet {
      impact.factors.having += 1
    } else {
      impact.factors.asked += 1
      if candidatePolicy.isAdministrator(profile: user.profile) { impact.factors.admins += 1 }
    }
  }

  private mutating func count(passkeysOf user: ScannedUser, _ read: StoredFacts, isLost: Bool) {
    guard var count = impact.passkeys else { return }
    defer { impact.passkeys = count }
    if reach.candidate.party != nil, candidatePolicy.offersPasskey(to: read, at: impact.instant) { count.offered += 1 }
    guard !user.user.passkeys.isEmpty else { return }
    count.having += 1
    if user.user.passkeys.contains(where: \.isBackupEligible) { count.synced += 1 }
    if isLost { count.lost += 1 }
    let reach = reach.candidate
    guard reach.isThere else { return }
    if user.user.passkeys.contains(where: { !reach.parties.contains($0.rpID) }) { count.elsewhere += 1 }
    guard let former = reach.former else { return }
    let ids = Set(user.user.passkeys.map(\.rpID))
    if ids.contains(former.id), reach.party.map(ids.contains) != true { count.former += 1 }
  }

  private mutating func count(renamesOf user: StoredUser) {
    for (index, takeover) in impact.renames.enumerated() {
      guard let value = user.profile[takeover.rename.source],
        let field = candidatePolicy.profile.field(takeover.rename.field)
      else { continue }
      impact.renames[index].people += 1
      if user.profile[field.name] != nil {
        impact.renames[index].filled += 1
      } else if case .refused = candidatePolicy.takeover(of: value, into: field, at: impact.instant, using: facts) {
        impact.renames[index].refused += 1
      }
    }
  }

  private mutating func count(_ answer: StoredComparison.Answer, _ email: String) {
    for index in answer.candidate.verdicts.indices {
      switch answer.candidate.verdicts[index] {
      case .pass: impact.rules[index].passing += 1
      case .unknown: impact.rules[index].unknown += 1
      case .notJudged: break
      case .fail: impact.rules[index].name(email, isNew: answer.newlyFailing.contains(index))
      }
    }
  }

  /// Whether the password is known to break the candidate's rules.
  private mutating func measure(_ user: ScannedUser, _ hasPassword: Bool) -> Bool {
    guard hasPassword, candidatePolicy.hasPassword else { return false }
    let known = user.compliance.flatMap { $0.rules == passwordRules ? $0.complies : nil }
    if user.isActive {
      switch known {
      case true: impact.passwords.complying += 1
      case false: impact.passwords.breaking += 1
      case nil: impact.passwords.notMeasured += 1
      }
    }
    return known == false
  }

  private mutating func lose(_ user: ScannedUser) {
    impact.loss.users += 1
    if user.isActive { impact.loss.active += 1 }
    let isAdmin = livePolicy.isAdministrator(profile: user.user.profile)
    if isAdmin { impact.loss.admins += 1 }
    if isAdmin || impact.loss.samples.count < Impact.sampleSize {
      impact.loss.samples = Array(([user.user.reference] + impact.loss.samples).prefix(Impact.sampleSize))
    }
  }
}
