import Foundation
@testable import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

/// The password door is open where `providers:` names `password`, or where a file has no `providers:`.
@Suite("The password door")
struct PasswordDoorTests {
  /// DD Ride without its own tests; people come in by Google or Apple alone where it is closed.
  private static func file(isOpen: Bool) throws -> String {
    let text = ProvidedApps.policy(.ride, try TestLists.policy("dd-ride"))
    let rules = String(text[..<(try #require(text.range(of: "\ntests:")).lowerBound)]) + "\n"
    return isOpen ? rules : rules.replacing("  password: {use: sign_in}\n", with: "")
  }

  private static func apply(isOpen: Bool, _ provided: ProvidedApps) async throws {
    _ = try await provided.apps.server.apply(
      try file(isOpen: isOpen), to: "dd-ride", allowsWeaker: true, allowsLockout: true)
    try await provided.apps.reload()
  }

  /// A request that needs the password door.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let path: String
    /// From a mailed code.
    let body: @Sendable (String) -> String
    let isSignedIn: Bool

    init(_ name: String, _ path: String, isSignedIn: Bool = false, body: @escaping @Sendable (String) -> String) {
      self.name = name
      self.path = path
      self.body = body
      self.isSignedIn = isSignedIn
    }

    var testDescription: String { name }
  }

  private static let ways = [
    Way("sign-up", "/v1/sign-up") { _ in App.ride.signUp("new") },
    Way("sign-in with the right password", "/v1/sign-in") { _ in App.ride.signIn() },
    Way("sign-in with a wrong password", "/v1/sign-in") { _ in App.ride.signIn(password: App.otherPassword) },
    Way("sign-in of an unknown address", "/v1/sign-in") { _ in App.ride.signIn("unknown") },
    Way("request of a reset", "/v1/password-reset") { _ in #"{"email":"pat@ksu.edu"}"# },
    Way("request of a reset for an unknown address", "/v1/password-reset") { _ in #"{"email":"unknown@ksu.edu"}"# },
    Way("reset with a code", "/v1/password-reset/confirm") { code in
      #"{"email":"pat@ksu.edu","code":"\#(code)","reset_id":"00000000-0000-0000-0000-000000000000","password":"x"}"#
    },
    Way("change of the password", "/v1/me/password", isSignedIn: true) { _ in
      #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
    },
    Way("reauthentication", "/v1/reauthenticate", isSignedIn: true) { _ in #"{"password":"\#(App.password)"}"# },
    Way("explanation of a sign-up", "/v1/explain") { _ in #"{"email":"new@ksu.edu"}"# },
    Way("verdict on a password", "/v1/password-check") { _ in #"{"password":"\#(App.password)"}"# },
  ]

  @Test("T135 a policy whose providers leave password out closes every way to use or set one", arguments: ways)
  func closed(_ way: Way) async throws {
    try await ProvidedApps.run { provided in
      let apps = provided.apps
      let user = try await apps.signUp(.ride).json
      apps.server.clock.advance(seconds: 61)
      _ = try await apps.ride.post("/v1/password-reset", #"{"email":"pat@ksu.edu"}"#)
      let code = try #require(try await apps.server.latestMail(to: "pat@ksu.edu")?.code)
      try await Self.apply(isOpen: false, provided)
      let done = apps.server.hashesDone
      let answer = try await apps.ride.post(
        way.path, way.body(code), token: way.isSignedIn ? user.accessToken : nil)
      #expect(answer.status == 404 && answer.code == "not_found", "\(answer.json)")
      // Nothing is looked up, hashed or counted: the answer is the policy's and takes as long for every address.
      #expect(apps.server.hashesDone == done)
    }
  }

  @Test("T135 a stored password stays stored, opens nothing, and opens again when the policy names password")
  func reopened() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.ride)
      try await Self.apply(isOpen: false, provided)
      #expect(try await provided.user(.ride, "pat@ksu.edu")?.passwordHash != nil)
      #expect(try await provided.apps.signIn(.ride).status == 404)
      try await Self.apply(isOpen: true, provided)
      #expect(try await provided.apps.signIn(.ride).status == 200)
    }
  }

  @Test("T135 people of a provider come in, and hold no way in that is a password: their last identity stays")
  func lastIdentity() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.ride)
      try await provided.verify(.ride, "pat@ksu.edu")
      try await Self.apply(isOpen: false, provided)
      let session = try await provided.google(.ride, "g1", ["email": .string("pat@ksu.edu")])
      #expect(session.status == 200, "\(session.text)")
      #expect(try await provided.user(.ride, "pat@ksu.edu")?.passwordHash != nil)
      let token = session.json.accessToken
      // The password is no proof any more: a mailed code is.
      provided.apps.server.clock.advance(seconds: 61)
      #expect(try await provided.apps.ride.post("/v1/reauthenticate/code", token: token).status == 202)
      let code = try #require(try await provided.apps.server.latestMail(to: "pat@ksu.edu")?.code)
      #expect(
        try await provided.apps.ride.post("/v1/reauthenticate", #"{"code":"\#(code)"}"#, token: token).status == 200)
      let unlink = try await provided.apps.ride.send("DELETE", "/v1/me/links/google", "{}", token: token)
      #expect(unlink.code == "last_sign_in_method", "\(unlink.text)")
    }
  }

  @Test("T135 a password is no proof where the door is closed: a request that needs a proof asks for another one")
  func proof() async throws {
    try await ProvidedApps.run { provided in
      let user = try await provided.apps.signUp(.ride).json
      try await Self.apply(isOpen: false, provided)
      let deleted = try await provided.apps.ride.send(
        "DELETE", "/v1/me", #"{"password":"\#(App.password)"}"#, token: user.accessToken)
      #expect(deleted.code == "reauthentication_required", "\(deleted.text)")
      // The recent sign-in goes on being a proof.
      let other = try await provided.apps.ride.send("DELETE", "/v1/me", "{}", token: user.accessToken)
      #expect(other.status == 204, "\(other.text)")
    }
  }

  @Test("T135 a sign-up that waits for its mail makes no account once the door is closed")
  func waitingSignUp() async throws {
    func hiding(isOpen: Bool) throws -> String {
      try Self.file(isOpen: isOpen).replacing("account_exists: reveal", with: "account_exists: hide")
    }
    try await ProvidedApps.run { provided in
      let apps = provided.apps
      func apply(isOpen: Bool) async throws {
        _ = try await apps.server.apply(
          try hiding(isOpen: isOpen), to: "dd-ride", allowsWeaker: true, allowsLockout: true)
        try await apps.reload()
      }
      try await apply(isOpen: true)
      let up = try await apps.signUp(.ride)
      #expect(up.status == 202)
      let mail = try #require(try await apps.server.latestMail(to: "pat@ksu.edu"))
      let code = try #require(mail.code)
      let page = try await LinkPage(opening: mail.link)
      try await apply(isOpen: false)
      #expect(try await page.reload().status == 400)
      let body = #"{"sign_up_id":"\#(up.signUpID)","email":"pat@ksu.edu","code":"\#(code)"}"#
      #expect(try await apps.ride.post("/v1/email-verification/confirm", body).code == "code_invalid")
      #expect(try await provided.user(.ride, "pat@ksu.edu") == nil)
      // The negative control: the same code completes the sign-up under an open door.
      try await apply(isOpen: true)
      #expect(try await apps.ride.post("/v1/email-verification/confirm", body).status == 200)
    }
  }

  @Test("T135 operators make accounts without a mail about passwords, and mail no reset: the refusal names the line")
  func operators() async throws {
    try await ProvidedApps.run { provided in
      try await Self.apply(isOpen: false, provided)
      try await Operator.create(
        "made@ksu.edu", ["name": "W", "phoneNumber": "7855550123"], in: "dd-ride", provided.apps.server)
      #expect(try await provided.apps.server.mailCount(to: "made@ksu.edu") == 0)
      let lines = try Self.file(isOpen: false).split(separator: "\n", omittingEmptySubsequences: false)
      let line = try #require(lines.firstIndex { $0.hasPrefix("providers:") }) + 1
      let error = await #expect(throws: OperatorError.self) {
        try await SendUserReset.run(.init(tenant: "dd-ride", user: "made@ksu.edu"), provided.apps.asOperator)
      }
      #expect(
        error?.description == "no user of dd-ride has a password: providers: (line \(line)) does not name password")
    }
  }

  @Test("T135 the page of a reset link does not exist where the door is closed")
  func page() async throws {
    try await ProvidedApps.run { provided in
      let apps = provided.apps
      _ = try await apps.signUp(.ride)
      apps.server.clock.advance(seconds: 61)
      _ = try await apps.ride.post("/v1/password-reset", #"{"email":"pat@ksu.edu"}"#)
      let link = try await apps.server.latestMail(to: "pat@ksu.edu")?.link
      let open = try await LinkPage(opening: link)
      try await Self.apply(isOpen: false, provided)
      #expect(try await open.reload().status == 404)
      let typed = try await open.setPassword(App.otherPassword)
      #expect(typed.status == 404, "\(typed.text)")
    }
  }

  @Test("T135 the public policy lists no password among the ways in, no rule on it and nothing for password managers")
  func document() async throws {
    try await ProvidedApps.run { provided in
      try await Self.apply(isOpen: false, provided)
      let policy = try await provided.apps.ride.get("/v1/policy").json
      #expect(policy["providers"]?.array?.compactMap { $0["name"]?.string } == ["google", "apple"])
      #expect(policy["password"]?["passwordrules"] == .string(""))
      #expect(policy["rules"]?.array?.contains { $0["pointer"] == .string("/password") } == false)
    }
  }

  @Test("T135 the lock-out guard counts people whose only way in is the password that a file ends")
  func guarded() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.ride, "only")
      _ = try await provided.apps.signUp(.ride, "both")
      try await provided.verify(.ride, "both@ksu.edu")
      _ = try await provided.google(.ride, "g1", ["email": .string("both@ksu.edu")])
      try await Self.apply(isOpen: true, provided)
      func close() async throws -> Policies.Outcome {
        try await provided.apps.server.apply(try Self.file(isOpen: false), to: "dd-ride", allowsWeaker: true)
      }
      let error = await #expect(throws: OperatorError.self) { try await close() }
      #expect(error?.kind == .notAllowed)
      #expect(
        error?.description.contains("1 of 2 would lose full access") == true
          && error?.description.contains("1 without another way to sign in") == true
          && error?.description.contains("only@ksu.edu") == true, "\(error?.description ?? "")")
      // The negative control: with another way in they are not counted.
      try await provided.verify(.ride, "only@ksu.edu")
      _ = try await provided.google(.ride, "g2", ["email": .string("only@ksu.edu")])
      #expect(try await close() == .applied(revision: 3))
    }
  }

  // MARK: Revisions of earlier servers

  /// Makes a text DD Ride's second revision as an earlier server beside this one would, which knows no `language`.
  private static func applyEarlier(_ text: String, _ provided: ProvidedApps) async throws {
    try await provided.apps.server.storage.runAsSuperuser(
      script: """
        INSERT INTO gatehouse.policy_revision (tenant_id, number, text, digest, author, reason, created_at)
        SELECT r.tenant_id, 2, $policy$\(text)$policy$, sha256(convert_to($policy$\(text)$policy$, 'UTF8')), 'earlier', '',
          r.created_at
        FROM gatehouse.policy_revision AS r JOIN gatehouse.tenant AS t ON t.id = r.tenant_id WHERE t.name = 'dd-ride';
        """)
    try await provided.apps.reload()
  }

  @Test("T136 a revision that an earlier server applied goes on letting people in by password, its tests unread")
  func earlierRevision() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.ride)
      // Its own tests go through doors that are closed in the meaning of now.
      let text = ProvidedApps.policy(.ride, try TestLists.policy("dd-ride"))
        .replacing("  password: {use: sign_in}\n", with: "")
      try await Self.applyEarlier(text, provided)
      let served = try #require(provided.apps.server.services.registry.snapshot("dd-ride"))
      #expect(served.revision == 2 && served.policy.keepsPasswordDoor)
      #expect(provided.apps.server.services.registry.failures.isEmpty)
      #expect(try await provided.apps.signIn(.ride).status == 200)
      #expect(try await provided.apps.signUp(.ride, "new").status == 201)
    }
  }

  @Test("T136 the same text applied anew is stricter, guarded, closes the door, and is then the same")
  func appliedAnew() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.ride)
      let (server, text) = (provided.apps.server, try Self.file(isOpen: false))
      try await Self.applyEarlier(text, provided)
      let error = await #expect(throws: OperatorError.self) { try await server.apply(text, to: "dd-ride") }
      #expect(error?.description.contains("1 without another way to sign in") == true, "\(error?.description ?? "")")
      #expect(try await server.apply(text, to: "dd-ride", allowsLockout: true) == .applied(revision: 3))
      try await provided.apps.reload()
      #expect(try await provided.apps.signIn(.ride).status == 404)
      #expect(try await server.apply(text, to: "dd-ride") == .unchanged(revision: 3))
      let store = server.services.store.open(try #require(server.services.registry.snapshot("dd-ride")).id)
      #expect(try await store.revisions(limit: 5).map(\.language.rawValue) == [3, 1, 3])
    }
  }

  @Test("T136 a rollback to an earlier revision is an apply: guarded, and with the meaning of now")
  func rolledBack() async throws {
    try await ProvidedApps.run { provided in
      _ = try await provided.apps.signUp(.ride)
      let server = provided.apps.server
      try await Self.applyEarlier(try Self.file(isOpen: false), provided)
      try await Self.apply(isOpen: true, provided)
      func rollback(allowLockout: Bool) async throws -> PolicyOutcome {
        try await AdminRoutes.run(
          RollbackPolicyOperation.self, .init(tenant: "dd-ride", revision: 2, allowLockout: allowLockout),
          server.asOperator)
      }
      let error = await #expect(throws: OperatorError.self) { try await rollback(allowLockout: false) }
      #expect(error?.description.contains("1 without another way to sign in") == true, "\(error?.description ?? "")")
      #expect(try await rollback(allowLockout: true).revision == 4)
      try await provided.apps.reload()
      #expect(try await provided.apps.signIn(.ride).status == 404)
    }
  }

  @Test("T136 an earlier revision that names password and its lines means the same now: no new revision")
  func sameMeaning() async throws {
    try await ProvidedApps.run { provided in
      let text = try Self.file(isOpen: true)
        .replacing("{type: string,", with: "{type: string, multiline: true,")
        .replacing("      type: string\n", with: "      type: string\n      multiline: true\n")
      try await Self.applyEarlier(text, provided)
      #expect(try await provided.apps.server.apply(text, to: "dd-ride") == .unchanged(revision: 2))
    }
  }

  @Test("T136 the text of an earlier revision that says nothing of lines is stricter now: a new revision")
  func oneLine() async throws {
    try await ProvidedApps.run { provided in
      let text = try Self.file(isOpen: true)
      try await Self.applyEarlier(text, provided)
      #expect(try await provided.apps.server.apply(text, to: "dd-ride") == .applied(revision: 3))
    }
  }

  @Test("T136 people with an identity of their own are not counted among those without another way in")
  func counted() async throws {
    try await ProvidedApps.run { provided in
      for name in ["only", "both"] {
        _ = try await provided.apps.signUp(.ride, name)
        try await provided.verify(.ride, "\(name)@ksu.edu")
      }
      _ = try await provided.google(.ride, "g1", ["email": .string("both@ksu.edu")])
      func look() async throws -> Int? {
        let served = try #require(provided.apps.server.services.registry.snapshot("dd-ride"))
        return try await KeptPasswordDoor.look(
          served.policy, revision: served.revision, of: (served.id, served.name), provided.apps.server.services
        )?.shutOut
      }
      #expect(try await look() == nil, "the live file names password")
      try await Self.applyEarlier(try Self.file(isOpen: false), provided)
      #expect(try await look() == 1)
    }
  }
}
