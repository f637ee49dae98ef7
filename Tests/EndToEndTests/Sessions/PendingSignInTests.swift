import GatehouseAdminWire
import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

@Suite("A sign-in that waits for a second proof")
struct PendingSignInTests {
  @Test("the first proof is settled at once, and everything else happens once, at the end")
  func effects() async throws {
    try await PendingScene.run { scene in
      let mails = try await scene.apps.server.mailCount(to: scene.email)
      let challenge = try await scene.begin([scene.link])
      #expect(challenge.factors == ["totp"])
      #expect(challenge.expiresIn == 300)
      var user = try await scene.stored()
      #expect(user.mustChangePassword)
      #expect(user.links.isEmpty)
      #expect(try await scene.sessions().count == 1)
      #expect(try await scene.signIns().isEmpty)
      #expect(try await scene.rows(.secondProofRequired).map { $0.details["method"] } == ["pwd"])
      #expect(try await scene.apps.server.mailCount(to: scene.email) == mails)

      let answer = try await scene.finish(try await scene.find(challenge))
      user = try await scene.stored()
      #expect(user.links.map(\.provider) == ["google"])
      let opened = try #require(try await scene.sessions().first { $0.id.text == answer.session.id })
      #expect(opened.proofs.all.map(\.method) == [.password, PendingScene.second])
      let row = try #require(try await scene.signIns().first)
      #expect(row.details["method"] == "pwd")
      #expect(row.details["second"] == "totp")
      // One notice of the link, and one of the device.
      #expect(try await scene.apps.server.mailCount(to: scene.email) == mails + 2)
    }
  }

  @Test("a right password clears the failures before it, whatever becomes of the second proof")
  func failures() async throws {
    try await PendingScene.run { scene in
      for _ in 0..<4 {
        #expect(try await scene.apps.signIn(PendingScene.app, password: App.otherPassword).status == 401)
      }
      _ = try await scene.begin()
      // Without that the fifth failure would delay the next attempt.
      #expect(try await scene.apps.signIn(PendingScene.app, password: App.otherPassword).status == 401)
      #expect(try await scene.apps.signIn(PendingScene.app).status == 200)
    }
  }

  @Test("T109 what is kept between the proofs holds no password and no hash of one")
  func secrets() async throws {
    try await PendingScene.run { scene in
      let challenge = try await scene.begin([scene.link])
      let call = try await scene.call()
      let hash = try #require(OpaqueToken.digest(of: challenge.id, kind: Ticket.Purpose.secondFactor.terms.token))
      let claim = TicketClaim(hash: hash, purpose: .secondFactor, client: call.tenant.app.id)
      let ticket = try #require(try await scene.store().ticket(claim))
      let sealed = try #require(ticket.sealedPayload)
      let text = try call.tenant.vault.open(sealed, for: .ticket(hash: hash)).expose {
        String(decoding: $0, as: UTF8.self)
      }
      let phc = try #require(try await scene.store().passwordHash(of: scene.user))
      #expect(text.contains("totp"))
      #expect(!text.contains(App.password))
      #expect(!text.contains(phc))
      #expect(!text.contains("argon2"))
    }
  }

  @Test("of fifty that end it at once one opens a session, and what waited happens once", arguments: [false, true])
  func once(links: Bool) async throws {
    try await PendingScene.run { scene in
      let tried = try await scene.find(try await scene.begin(links ? [scene.link] : []))
      let opened = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<50 { group.addTask { (try? await scene.finish(tried)) != nil } }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(opened == 1)
      #expect(try await scene.sessions().count == 2)
      #expect(try await scene.signIns().count == 1)
      #expect(try await scene.stored().links.count == (links ? 1 : 0))
      #expect(try await scene.refusal { try await scene.finish(tried) } == .codeExpired)
    }
  }

  @Test("a session of the pages waits as well, for the browser that began")
  func pages() async throws {
    try await PendingScene.run { scene in
      let call = try await scene.call().from(browser: "one")
      let completion = try await scene.completion([], call)
      let refusal = try await #require(throws: Refusal.self) {
        let _: PageSession = try await completion.open(demanding: [PendingScene.second], call, scene.services)
      }
      let challenge = try #require(refusal.challenge)
      for other in [try await scene.call(), try await scene.call().from(browser: "other")] {
        #expect(try await scene.refusal { _ = try await scene.find(challenge, as: other) } == .codeExpired)
      }
      let tried = try await scene.find(challenge, as: call)
      #expect(try await scene.refusal { try await scene.finish(tried) } == .forbidden)
      let session: PageSession = try await Completion.resume(
        tried, with: Proofs(of: scene.user, by: PendingScene.second, call), using: [], call, scene.services)
      #expect(try await PageSessions.find(session.secret, call, scene.services)?.user.id == scene.user)
    }
  }

  @Test("a proof of another account, of another tenant or by another method ends none")
  func foreign() async throws {
    try await PendingScene.run { scene in
      let challenge = try await scene.begin()
      let tried = try await scene.find(challenge)
      let (call, elsewhere) = (try await scene.call(), try await scene.apps.operatorCall(.ride))
      let foreign = [
        Proofs(of: UserID(scene.services.clock.makeID()), by: PendingScene.second, call),
        Proofs(of: scene.user, by: PendingScene.second, elsewhere),
        Proofs(of: scene.user, by: .emailCode, call),
      ]
      for proofs in foreign {
        #expect(try await scene.refusal { try await scene.finish(tried, with: proofs) } == .forbidden)
      }
      #expect(try await scene.refusal { _ = try await scene.find(challenge, as: elsewhere) } == .codeExpired)
      #expect(try await scene.sessions().count == 1)
      try await scene.finish(tried)
    }
  }

  @Test("five tries are counted, whatever becomes of them, and there is no sixth")
  func tries() async throws {
    try await PendingScene.run { scene in
      let challenge = try await scene.begin()
      for _ in 0..<5 { _ = try await scene.find(challenge) }
      #expect(try await scene.refusal { _ = try await scene.find(challenge) } == .codeExpired)
      #expect(
        try await scene.refusal { _ = try await TriedSignIn.find("x", scene.call(), scene.services) } == .codeExpired)
    }
  }

  @Test("an account has ten tries in an hour, over all challenges")
  func triesOfAccount() async throws {
    try await PendingScene.run { scene in
      for _ in 0..<2 {
        let challenge = try await scene.begin()
        for _ in 0..<5 { _ = try await scene.find(challenge) }
      }
      let challenge = try await scene.begin()
      let refusal = await #expect(throws: Refusal.self) { _ = try await scene.find(challenge) }
      #expect(refusal?.code == .rateLimited && refusal?.limit == "mfa_per_account")
      scene.apps.server.clock.advance(seconds: 3600)
      let later = try await scene.begin()
      #expect(try await scene.refusal { _ = try await scene.find(later) } == nil)
    }
  }

  @Test("a right second proof returns the count of its try")
  func triesReturned() async throws {
    try await PendingScene.run { scene in
      for _ in 0..<10 {
        scene.apps.server.clock.advance(seconds: 1)
        try await scene.finish(try await scene.find(try await scene.begin()))
      }
      scene.apps.server.clock.advance(seconds: 1)
      let challenge = try await scene.begin()
      #expect(try await scene.refusal { _ = try await scene.find(challenge) } == nil)
    }
  }

  @Test("of an account the newest five wait")
  func many() async throws {
    try await PendingScene.run { scene in
      let first = try await scene.begin()
      var others: [Refusal.Challenge] = []
      for _ in 0..<5 {
        scene.apps.server.clock.advance(seconds: 1)
        others.append(try await scene.begin())
      }
      #expect(try await scene.refusal { _ = try await scene.find(first) } == .codeExpired)
      for other in others { #expect(try await scene.refusal { _ = try await scene.find(other) } == nil) }
    }
  }

  @Test("one that rests on a session of the pages ends only while that lives", arguments: [true, false])
  func ground(isEnded: Bool) async throws {
    try await PendingScene.run { scene in
      let call = try await scene.call()
      var completion = try await scene.completion([], call)
      let session = try #require(try await scene.sessions().first)
      completion.authority = .caller(SignedIn(session: session, user: completion.user), restingOn: .session)
      let resting = completion
      let refusal = try await #require(throws: Refusal.self) {
        let _: SessionAnswer = try await resting.open(demanding: [PendingScene.second], call, scene.services)
      }
      let tried = try await scene.find(try #require(refusal.challenge))
      if isEnded {
        #expect(try await scene.apps.messai.post("/v1/sign-out", "{}", token: scene.token).status == 204)
      }
      #expect(try await scene.refusal { try await scene.finish(tried) } == (isEnded ? .codeExpired : nil))
    }
  }

  @Test("it waits for five minutes", arguments: [299, 300])
  func time(seconds: Int) async throws {
    try await PendingScene.run { scene in
      let challenge = try await scene.begin()
      scene.apps.server.clock.advance(seconds: Double(seconds))
      guard seconds < 300 else {
        #expect(try await scene.refusal { _ = try await scene.find(challenge) } == .codeExpired)
        return
      }
      let tried = try await scene.find(challenge)
      scene.apps.server.clock.advance(seconds: 1)
      #expect(try await scene.refusal { try await scene.finish(tried) } == .codeExpired)
    }
  }

  @Test("an identity that another account took meanwhile stays there, and nothing is opened")
  func taken() async throws {
    try await PendingScene.run { scene in
      let tried = try await scene.find(try await scene.begin([scene.link]))
      let other = try await scene.provided.google(.messai, "g1", ["email": .string("other@example.com")])
      #expect(other.status == 200, "\(other.text)")
      #expect(try await scene.refusal { try await scene.finish(tried) } == .providerAccountTaken)
      #expect(try await scene.sessions().count == 1)
      #expect(try await scene.stored().links.isEmpty)
    }
  }
}

@Suite("What a second proof may not rest on any more")
struct PendingSignInChangeTests {
  /// A change of the account after the first proof.
  enum AccountChange: String, CaseIterable, Sendable {
    case password, reset, disabled, reclaimed, deleted, revoked
  }

  private func change(_ change: AccountChange, _ scene: PendingScene) async throws {
    let messai = scene.apps.messai
    switch change {
    case .password:
      let body = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      #expect(try await messai.post("/v1/me/password", body, token: scene.token).status == 200)
    case .reset:
      scene.apps.server.clock.advance(seconds: 61)
      let asked = try await messai.post("/v1/password-reset", #"{"email":"\#(scene.email)"}"#)
      let code = try #require(try await scene.apps.server.latestMail(to: scene.email)?.code)
      let id = try #require(asked.json["reset_id"]?.string)
      let body =
        #"{"email":"\#(scene.email)","code":"\#(code)","reset_id":"\#(id)","password":"\#(App.otherPassword)"}"#
      let answer = try await messai.post("/v1/password-reset/confirm", body)
      #expect(answer.status == 204, "\(answer.text)")
    case .disabled:
      // Enabled again it is another account, too.
      try await Operator.disable(PendingScene.app, "pat", scene.apps)
      try await Operator.disable(PendingScene.app, "pat", scene.apps, disabled: false)
    case .reclaimed:
      let owner = try await scene.provided.google(.messai, "g1", ["email": .string(scene.email)])
      #expect(owner.status == 200, "\(owner.text)")
    case .revoked:
      _ = try await RevokeSessions.run(
        .init(tenant: PendingScene.app.rawValue, user: scene.email), scene.apps.asOperator)
    case .deleted:
      _ = try await DeleteUser.run(
        .init(tenant: PendingScene.app.rawValue, user: scene.email), scene.apps.asOperator)
    }
  }

  @Test("an account that changed after the first proof", arguments: AccountChange.allCases)
  func account(changed: AccountChange) async throws {
    try await PendingScene.run(isProven: changed != .reclaimed) { scene in
      let challenge = try await scene.begin()
      let tried = try await scene.find(challenge)
      try await change(changed, scene)
      let before = changed == .deleted ? 0 : try await scene.sessions().count
      #expect(try await scene.refusal { try await scene.finish(tried) } == .codeExpired)
      #expect(try await scene.refusal { _ = try await scene.find(challenge) } == .codeExpired)
      if changed != .deleted { #expect(try await scene.sessions().count == before) }
    }
  }

  /// A change of the policy after the first proof.
  enum PolicyChange: String, CaseIterable, Sendable {
    case noPasswords, noSuchProvider, noJoining, elsewhere

    var code: ErrorCode {
      switch self {
      case .noPasswords, .noSuchProvider: .notFound
      case .noJoining: .accountExists
      case .elsewhere: .codeExpired
      }
    }

    func text(_ policy: String) -> String {
      switch self {
      case .noPasswords: policy.replacing("  password: {use: sign_in}\n", with: "")
      case .noSuchProvider:
        policy.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("  google:") }
          .joined(separator: "\n")
      case .elsewhere:
        policy.replacing(
          "  google: {use: sign_in,",
          with:
            "  google: {use: sign_in, endpoints: {issuer: \"https://accounts.google.com\", token: \"https://elsewhere.example/t\"},"
        )
      case .noJoining: policy.replacing("existing_email: link_if_both_verified", with: "existing_email: refuse")
      }
    }
  }

  @Test("a policy that changed after the first proof", arguments: PolicyChange.allCases)
  func policy(changed: PolicyChange) async throws {
    try await PendingScene.run { scene in
      let tried = try await scene.find(try await scene.begin([scene.link]))
      let text = PolicyText.withoutTests(ProvidedApps.policy(.messai, try TestLists.policy("messai")))
      #expect(changed.text(text) != text)
      _ = try await scene.apps.server.apply(
        changed.text(text), to: "messai", allowsWeaker: true, allowsLockout: true)
      try await scene.apps.reload()
      #expect(try await scene.refusal { try await scene.finish(tried) } == changed.code)
      #expect(try await scene.sessions().count == 1)
      try await scene.provided.serve(text, at: .messai)
      try await scene.finish(tried)
    }
  }
}
