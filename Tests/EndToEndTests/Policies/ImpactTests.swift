import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("What a policy would mean for all stored users")
struct ImpactTests {
  private func read(_ text: String, _ name: String) throws -> Policy {
    try PolicyFile.read(text, name: name).get().policy
  }

  private func impact(_ text: String, of name: String, _ apps: ThreeApps) async throws -> Impact {
    let services = apps.server.services
    let tenant = try await Tenants.find(name, services)
    let candidate = try read(text, name)
    return try await Impact.measure(
      candidate, against: try read(try TestLists.policy(name), name), at: candidate.horizon(from: services.clock.now),
      of: tenant, services)
  }

  /// The file without its own tests, which would notice what is changed here.
  private func file(_ name: String, _ old: String = "", _ new: String = "") throws -> String {
    let text = try TestLists.policy(name)
    let rules = text[..<(try #require(text.range(of: "\ntests:")).lowerBound)]
    #expect(old.isEmpty || rules.contains(old))
    return rules.replacing(old, with: new) + "\n"
  }

  private func apply(_ text: String, _ apps: ThreeApps, _ consent: Policies.Consent) async throws -> Policies.Outcome {
    try await Policies.apply(
      text, file: "dd-ride.yaml", to: try await Tenants.find("dd-ride", apps.server.services), consent: consent,
      author: Author(.operator("test"), name: "test", reason: "test"), apps.server.services)
  }

  private func verify(_ email: String, _ apps: ThreeApps) async throws {
    let mail = try await apps.server.latestMail(to: email)
    let code = try #require(mail?.code)
    let body = #"{"email":"\#(email)","code":"\#(code)","password":"Wildcat1"}"#
    #expect(try await apps.ride.post("/v1/email-verification/confirm", body).status == 200)
  }

  @Test("each rule says how many pass, fail and newly fail, with samples; who loses access is named")
  func counts() async throws {
    try await ThreeApps.share { apps in
      for name in ["ann", "ben", "cleo"] { _ = try await apps.rider("\(name)@ksu.edu") }
      try await verify("ann@ksu.edu", apps)

      let same = try await impact(try file("dd-ride"), of: "dd-ride", apps)
      #expect(same.users == 3)
      #expect(same.active == 3)
      #expect(same.loss.users == 0)
      #expect(same.rules.allSatisfy { $0.newlyFailing == 0 })
      #expect(same.keeping == 1)

      let other = try await impact(
        try file("dd-ride", "allowed_domains: [ksu.edu]", "allowed_domains: [k-state.edu]"), of: "dd-ride", apps)
      let domains = try #require(other.rules.first { $0.subject.id == "email.allowed_domains" })
      #expect(domains.failing == 3 && domains.newlyFailing == 3 && domains.passing == 0)
      #expect(domains.samples.sorted() == ["ann@ksu.edu", "ben@ksu.edu", "cleo@ksu.edu"])
      #expect(other.loss.users == 0)
      #expect(other.rules.map(\.newlyFailing).max() == 3)

      let required = try await impact(
        try file("dd-ride", "normalize: lowercase", "normalize: lowercase\n    existing: require_at_sign_in")
          .replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [k-state.edu]"), of: "dd-ride", apps)
      #expect(required.loss.users == 1 && required.loss.active == 1 && required.loss.admins == 0)
      #expect(required.loss.samples == ["ann@ksu.edu"] && required.keeping == 0)
    }
  }

  @Test("the lock-out guard refuses what takes access from people, names them, and gives in to --allow-lockout")
  func guardRefuses() async throws {
    try await ThreeApps.run { apps in
      for name in ["ann", "ben"] { _ = try await apps.rider("\(name)@ksu.edu") }
      try await verify("ann@ksu.edu", apps)
      // No user has linked anything: every user with full access would lose it.
      let locking = try file("dd-ride", "min_length: 8", "min_length: 9")
        .replacing("requires: [email_verified]", with: "requires: [email_verified, \"profile:chapterId\"]")
      let weaker = Policies.Consent(weaker: true)
      let error = await #expect(throws: OperatorError.self) { try await apply(locking, apps, weaker) }
      #expect(error?.kind == .notAllowed)
      #expect(error?.description.contains("1 of 2 would lose full access") == true)
      #expect(error?.description.contains("ann@ksu.edu") == true)
      #expect(error?.hint?.contains("--allow-lockout") == true)
      // Only what decides a user's standing is looked at: a longer password alone is applied at once.
      #expect(
        try await apply(try file("dd-ride", "min_length: 8", "min_length: 9"), apps, weaker) == .applied(revision: 2))
      let both = Policies.Consent(weaker: true, lockout: true)
      #expect(try await apply(locking, apps, both) == .applied(revision: 3))
    }
  }

  @Test("a policy that would lock out one administrator is refused, though no user was seen for a month")
  func administrators() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.rider("ann@ksu.edu")
      try await verify("ann@ksu.edu", apps)
      try await Operator.set(.ride, "ann", ["role": .string("admin")], apps)
      apps.server.clock.advance(seconds: 31 * 86_400)
      let locking = try file(
        "dd-ride", "requires: [email_verified]", "requires: [email_verified, \"profile:chapterId\"]")
      let weaker = Policies.Consent(weaker: true)
      let error = await #expect(throws: OperatorError.self) { try await apply(locking, apps, weaker) }
      #expect(error?.description.contains("0 of the 0 seen within 30 days and 1 administrators") == true)
      // Negative control: another user, who is away as long, is not asked about.
      try await Operator.set(.ride, "ann", ["role": .string("member")], apps)
      #expect(try await apply(locking, apps, weaker) == .applied(revision: 2))
    }
  }

  @Test("a stage that is still to come is judged as if it had")
  func datedLockout() async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.rider("ann@ksu.edu")
      try await verify("ann@ksu.edu", apps)
      let dated = try file(
        "dd-ride", "requires: [email_verified]",
        "requires: [email_verified, {need: \"profile:chapterId\", enforce: warn, enforce_from: 2099-01-01}]")
      let found = try await impact(dated, of: "dd-ride", apps)
      #expect(found.loss.users == 1)
      #expect(found.instant.timeIntervalSince1970 > 4_070_000_000)
      // And so is it applied.
      let error = await #expect(throws: OperatorError.self) { try await apply(dated, apps, .init(weaker: true)) }
      #expect(error?.hint?.contains("--allow-lockout") == true)
    }
  }

  @Test("M09 users who are asked for a second factor are counted, and not locked out: each of them can add one")
  func secondFactors() async throws {
    try await ThreeApps.run { apps in
      for name in ["ann", "ben", "cleo"] {
        _ = try await apps.rider("\(name)@ksu.edu")
        try await verify("\(name)@ksu.edu", apps)
      }
      try await Operator.set(.ride, "ann", ["role": .string("admin")], apps)
      let old = "enforce: warn, enforce_from: 2027-03-01}]\n  grace: 14d"
      let demanding = try file("dd-ride", old, "enforce: warn, enforce_from: 2027-03-01}, {id: all}]")
      let found = try await impact(demanding, of: "dd-ride", apps)
      #expect(found.factors.having == 0 && found.factors.asked == 3 && found.factors.admins == 1)
      #expect(found.loss.users == 0 && found.keeping == 0 && found.gaining == 0)
      #expect(found.rules.first { $0.subject.id == "mfa.all" }?.newlyFailing == 3)
      // Negative control: what they cannot mend themselves takes access away.
      let locking = demanding.replacing("requires: [email_verified]", with: "requires: [\"profile:chapterId\"]")
      let lost = try await impact(locking, of: "dd-ride", apps)
      #expect(lost.loss.users == 3 && lost.loss.admins == 1)
      #expect(try await apply(demanding, apps, .init()) == .applied(revision: 2))
    }
  }

  @Test("while rules warn, each sign-in with a password records one bit; it goes with the password and with the rules")
  func passwordBits() async throws {
    try await ThreeApps.run(at: Date(timeIntervalSince1970: 1_795_000_000)) { apps in
      _ = try await apps.writer("al@example.com", password: "kt49xw")
      _ = try await apps.writer("bo@example.com", password: "Kt49xw-Mq7!")
      _ = try await apps.writer("cy@example.com", password: "kt49xw-cy")
      for (email, password) in [("al@example.com", "kt49xw"), ("bo@example.com", "Kt49xw-Mq7!")] {
        let answer = try await apps.messai.post("/v1/sign-in", #"{"email":"\#(email)","password":"\#(password)"}"#)
        #expect(answer.status == 200)
      }
      let found = try await impact(try file("messai"), of: "messai", apps)
      #expect(found.passwords.complying == 1 && found.passwords.breaking == 1 && found.passwords.notMeasured == 1)
      // Another bound: what was measured says nothing about it.
      let other = try await impact(
        try file("messai", "{id: min8, min_length: 8,", "{id: min8, min_length: 9,"), of: "messai", apps)
      #expect(other.passwords.notMeasured == 3)
      // Required at sign-in once it binds: who is known to break it loses access.
      let required = try await impact(
        try file("messai", "existing: prompt_at_sign_in", "existing: require_at_sign_in"), of: "messai", apps)
      #expect(required.loss.users == 1 && required.loss.samples == ["al@example.com"])

      let store = apps.server.services.store.open(try await Tenants.find("messai", apps.server.services).id)
      let al = try #require(try await store.user(email: "al@example.com")).user.id
      try await store.commit([.user(.setPassword(al, phc: "$argon2id$x"))])
      #expect(try await store.users(after: nil, limit: 10).compactMap(\.compliance).map(\.complies) == [true])
      let changed = try file("messai", "{id: min8, min_length: 8,", "{id: min8, min_length: 9,")
      _ = try await apps.server.apply(changed, to: "messai")
      #expect(try await store.users(after: nil, limit: 10).allSatisfy { $0.compliance == nil })
    }
  }

  @Test("people come in pages, each once; a user unseen for 30 days is not active")
  func pages() async throws {
    try await ThreeApps.run { apps in
      for index in 0..<5 { _ = try await apps.rider("p\(index)@ksu.edu") }
      let services = apps.server.services
      let store = services.store.open(try await Tenants.find("dd-ride", services).id)
      var seen: [String] = []
      var cursor: UserID?
      while let last = try await store.users(after: cursor, limit: 2).map({
        seen.append($0.user.reference); return $0
      }).last {
        cursor = last.user.id
      }
      #expect(seen.sorted() == (0..<5).map { "p\($0)@ksu.edu" })
      apps.server.clock.advance(seconds: 31 * 86_400)
      let quiet = try await impact(try file("dd-ride"), of: "dd-ride", apps)
      #expect(quiet.users == 5 && quiet.active == 0)
    }
  }

  @Test("who breaks a rule of the live policy is listed; a rule on passwords, or none, is refused with words")
  func failing() async throws {
    try await ThreeApps.run { apps in
      for index in 0..<3 { _ = try await apps.rider("p\(index)@ksu.edu") }
      _ = try await apply(
        try file("dd-ride", "allowed_domains: [ksu.edu]", "allowed_domains: [k-state.edu]"), apps,
        Policies.Consent(weaker: true))
      func failing(_ rule: String, limit: Int) async throws -> [UserSummary] {
        try await ListUsers.run(.init(tenant: "dd-ride", failing: rule, limit: limit), apps.asOperator).items
      }
      let found = try await failing("email.allowed_domains", limit: 2)
      #expect(found.count == 2 && found.allSatisfy { $0.email?.hasSuffix("@ksu.edu") == true })
      #expect(try await failing("name.required", limit: 9).isEmpty)
      for (rule, word) in [("email.allowed_domain", "did you mean"), ("password.min8", "hashes")] {
        let error = await #expect(throws: OperatorError.self) { try await failing(rule, limit: 9) }
        #expect(error?.description.contains(word) == true)
      }
    }
  }
}
