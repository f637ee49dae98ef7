import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What the default policy asks of passwords, with the lists as they ship")
struct DefaultPolicyTests {
  /// A tenant as `tenant create` makes it without a file.
  private func run(_ body: (TestServer, TestClient) async throws -> Void) async throws {
    let server = try await TestServer.start(policies: ["acme": PolicyFile.initial(tenant: "acme", name: "Acme")])
    do {
      try await body(server, TestClient(server.url + "/t/acme"))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private func signUp(_ client: TestClient, _ password: String, _ local: String = "pat") async throws
    -> TestClient.Answer
  {
    let body: JSONObject = ["email": .string("\(local)@example.com"), "password": .string(password)]
    return try await client.post("/v1/sign-up", String(decoding: JSONValue.object(body).bytes, as: UTF8.self))
  }

  @Test("T006 length is the only demand: no class of characters is required, and a common password is refused")
  func composition() async throws {
    try await run { _, client in
      for password in ["correct horse battery staple", "aaaaaaaaaaaaaab", "               kq", "пароль пароль пароль"] {
        let taken = try await signUp(client, password)
        #expect(taken.status == 202, "\(password)")
      }
      let known = try await signUp(client, "1qaz2wsx3edc4rfv")
      #expect(known.rules.count == 1 && known.rules[0].contains("common"), "\(known.rules)")
    }
  }

  @Test("T003 T004 length is that of code points; a password beyond the limit is refused without any work")
  func lengths() async throws {
    try await run { server, client in
      #expect(try await signUp(client, String(repeating: "😀", count: 15)).status == 202)
      let decomposed = String(repeating: "k", count: 13) + "e\u{301}"
      #expect(try await signUp(client, decomposed).rules == ["password.min15"])
      for count in [64, 128] {
        let long = (0..<count).map { "kqvmtzhrwp"[String.Index(utf16Offset: $0 % 10, in: "kqvmtzhrwp")] }
        #expect(try await signUp(client, String(long)).status == 202, "\(count)")
      }
      let before = server.hashesDone
      for count in [1025, 60_000] {
        let refused = try await signUp(client, String(repeating: "x", count: count))
        #expect(refused.status == 422)
        let body = #"{"email":"pat@example.com","password":"\#(String(repeating: "x", count: count))"}"#
        #expect(try await client.post("/v1/sign-in", body).code == "invalid_credentials")
      }
      // A megabyte does not even arrive.
      #expect(try await signUp(client, String(repeating: "x", count: 1 << 20)).status == 413)
      #expect(server.hashesDone == before)
    }
  }

  @Test("T016 a password does not grow old; it is to be changed when the policy finds that it no longer will do")
  func age() async throws {
    try await ThreeApps.run { apps in
      #expect(try await apps.signUp(.ride).status == 201)
      try await Operator.verify(.ride, "pat", apps)
      apps.server.clock.advance(seconds: 3 * 365 * 86_400)
      let old = try await apps.signIn(.ride).json
      #expect(old["access"] == .string("full") && old.next.isEmpty)
      let text = PolicyText.withoutTests(try TestLists.policy("dd-ride"))
        .replacing("existing: at_next_change", with: "existing: require_at_sign_in")
        .replacing("min_length: 8}", with: "min_length: 12}")
      #expect(try await apps.server.apply(text, to: "dd-ride", allowsLockout: true) == .applied(revision: 2))
      try await apps.reload()
      #expect(try await apps.signIn(.ride).json.next == ["change_password"])
    }
  }

  @Test("T008 a password that leaked is refused at sign-up, change and reset")
  func breached() async throws {
    let leaked = "1qaz2wsx"
    try await ThreeApps.run(policy: { app, text in
      app == .ride
        ? PolicyText.withoutTests(text).replacing(
          "    - {id: upper, require: uppercase}\n    - {id: lower, require: lowercase}\n    - {id: digit, require: digit}\n",
          with: "    - {id: leaked, not_in: breached}\n") : text
    }) { apps in
      #expect(try await apps.signUp(.ride, password: leaked).rules == ["password.leaked"])
      let up = try await apps.signUp(.ride).json
      let change = #"{"current_password":"\#(App.password)","password":"\#(leaked)"}"#
      #expect(try await apps.ride.post("/v1/me/password", change, token: up.accessToken).rules == ["password.leaked"])
      apps.server.clock.advance(seconds: 1)
      #expect(try await apps.ride.post("/v1/password-reset", #"{"email":"pat@ksu.edu"}"#).status == 202)
      let link = try await apps.server.latestMail(to: "pat@ksu.edu")
      let token = try #require(link?.link?.split(separator: "=").last)
      let reset = #"{"token":"\#(token)","password":"\#(leaked)"}"#
      let refused = try await apps.ride.post("/v1/password-reset/confirm", reset)
      #expect(refused.rules == ["password.leaked"])
    }
  }
}
