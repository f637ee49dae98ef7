import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Who adds an authenticator app, and to which account")
struct EnrolmentDoorTests {
  @Test("where the policy has no second factors there is nothing to add")
  func noSection() async throws {
    try await FactorScene.run(mfa: nil) { scene in
      let begun = try await scene.start(scene.up.accessToken)
      #expect(begun.status == 404 && begun.code == "not_found", "\(begun.text)")
      #expect(try await scene.confirm("gh_fl_x", "123456", scene.up.accessToken).code == "not_found")
      #expect(try await scene.factors(scene.up.accessToken).factorIDs.isEmpty)
    }
  }

  @Test("T106 without a fresh proof none is begun, and the ways to one are named")
  func stale() async throws {
    try await FactorScene.run { scene in
      scene.clock.advance(seconds: 301)
      let refused = try await scene.start(scene.up.accessToken)
      #expect(refused.status == 403 && refused.code == "reauthentication_required", "\(refused.text)")
      #expect(refused.json["methods"] == .array([.string("password")]))
      let again = try await scene.prove(#"{"password":"\#(App.password)"}"#, scene.up.accessToken).json.accessToken
      #expect(try await scene.start(again).status == 200)
    }
  }

  /// The other callers that have the enrolment's id and its right code.
  enum Other: String, CaseIterable, Sendable { case session, account, tenant, stranger }

  @Test("another session's enrolment is none, and neither is another account's or tenant's", arguments: Other.allCases)
  func foreign(other: Other) async throws {
    try await FactorScene.run { scene in
      let begun = try await scene.start(scene.up.accessToken)
      let body = #"{"enrolment_id":"\#(begun.enrolment)","code":"\#(scene.code(try begun.seed()))"}"#
      let (client, token): (TestClient, String?) =
        switch other {
        case .session: (scene.client, try await scene.signIn().json.accessToken)
        case .account: (scene.client, try await scene.apps.signUp(FactorScene.app, "kim").json.accessToken)
        case .tenant: (scene.apps.vibes, try await scene.apps.signUp(.vibes).json.accessToken)
        case .stranger: (scene.client, nil)
        }
      let refused = try await client.post("/v1/me/factors/totp/confirm", body, token: token)
      #expect(refused.code == (other == .stranger ? "unauthenticated" : "code_expired"), "\(refused.text)")
      #expect(try await scene.count("SELECT count(*) FROM gatehouse.totp") == 0)
      // Nothing of it was spent.
      #expect(
        try await scene.client.post("/v1/me/factors/totp/confirm", body, token: scene.up.accessToken).status == 200)
    }
  }

  @Test("what is no enrolment's id is refused as one that is over", arguments: ["", "x", "gh_fl_", "gh_rt_AAAA"])
  func malformed(id: String) async throws {
    try await FactorScene.run { scene in
      let refused = try await scene.confirm(id, "123456", scene.up.accessToken)
      #expect(refused.code == "code_expired", "\(refused.text)")
    }
  }

  @Test("a session has one enrolment: the next one ends it")
  func newer() async throws {
    try await FactorScene.run { scene in
      let first = try await scene.start(scene.up.accessToken)
      scene.clock.advance(seconds: 1)
      let next = try await scene.start(scene.up.accessToken)
      let late = try await scene.confirm(first.enrolment, scene.code(try first.seed()), scene.up.accessToken)
      #expect(late.code == "code_expired", "\(late.text)")
      #expect(
        try await scene.confirm(next.enrolment, scene.code(try next.seed()), scene.up.accessToken).status == 200)
    }
  }

  @Test("T106 one that was begun by the password alone adds nothing beside a factor that came meanwhile")
  func overtaken() async throws {
    try await FactorScene.run { scene in
      let thief = try await scene.signIn().json.accessToken
      let begun = try await scene.start(thief)
      let phone = try await scene.enrol()
      let late = try await scene.confirm(begun.enrolment, scene.code(try begun.seed()), thief)
      #expect(late.code == "code_expired", "\(late.text)")
      #expect(try await scene.factors(phone.token).factorIDs == [phone.id])
    }
  }

  // MARK: Names

  @Test("its owner names it and takes the name away; another account's is not found")
  func rename() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol(name: "Phone")
      func rename(_ body: String, _ token: String) async throws -> TestClient.Answer {
        try await scene.client.send("PATCH", "/v1/me/factors/\(phone.id)", body, token: token)
      }
      let kim = try await scene.apps.signUp(FactorScene.app, "kim").json.accessToken
      #expect(try await rename(#"{"name":"Mine"}"#, kim).code == "not_found")
      #expect(try await scene.remove(phone, kim).code == "not_found")
      #expect(try await rename(#"{"name":"Work"}"#, phone.token).json["name"] == .string("Work"))
      #expect(try await rename(#"{"name":null}"#, phone.token).json["name"] == nil)
      #expect(try await scene.factors(phone.token).factorIDs == [phone.id])
      for id in ["x", "01970000-0000-7000-8000-000000000000"] {
        let path = "/v1/me/factors/\(id)"
        #expect(try await scene.client.send("PATCH", path, "{}", token: phone.token).code == "not_found")
        #expect(try await scene.client.send("DELETE", path, token: phone.token).code == "not_found")
      }
    }
  }
}
