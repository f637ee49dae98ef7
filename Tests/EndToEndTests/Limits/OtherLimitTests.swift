import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Optional limits of a policy")
struct OtherLimitTests {
  private let ask = #"{"email":"pat@example.com"}"#

  private func url(_ apps: ThreeApps, _ path: String) -> String { "\(apps.server.url)/t/messai\(path)" }

  /// The three apps, where messAI has these limits.
  private func run(_ limits: String, _ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { $0 == .messai ? PolicyText.limits(limits, in: $1) : $1 }, body)
  }

  /// Two mails to Pat; a third is refused to a signed-in caller, and silently not sent for others: `repeats` times the
  /// newest living link is mailed again.
  private func exhaust(_ apps: ThreeApps, repeats: Int = 0, isSilent: Bool = false) async throws {
    let token = try await apps.signUp(.messai).json.accessToken
    #expect(try await apps.messai.post("/v1/password-reset", ask).status == 202)
    apps.server.clock.advance(seconds: 60)
    let told = try await apps.messai.post("/v1/email-verification", token: token)
    #expect(told.status == 429 && told.code == "rate_limited" && told.retryAfter == 3540)
    // T031: the refusal of a recipient's mail looks like the acceptance; that of a budget is told to every caller.
    for body in [ask, #"{"email":"nobody@example.com"}"#] {
      for path in ["/v1/password-reset", "/v1/email-verification"] {
        #expect(try await apps.messai.post(path, body).status == (isSilent ? 202 : 429))
      }
    }
    #expect(try await apps.server.mailCount(to: "pat@example.com") == 2 + repeats)
  }

  @Test("T031 mails per recipient: other recipients still get theirs")
  func perRecipient() async throws {
    try await run("mail_per_recipient: 2/1h") { apps in
      try await exhaust(apps, repeats: 1, isSilent: true)
      #expect(try await apps.signUp(.messai, "kay").status == 201)
      #expect(try await apps.server.mailCount(to: "kay@example.com") == 1)
      apps.server.clock.advance(seconds: 3540)
      #expect(try await apps.messai.post("/v1/password-reset", ask).status == 202)
      #expect(try await apps.server.mailCount(to: "pat@example.com") == 4)
    }
  }

  @Test("T031 mails per address of the caller: the same person is mailed for another caller")
  func perAddress() async throws {
    try await run("mail_per_ip: 2/1h") { apps in
      try await exhaust(apps)
      // An account is made even where its mail has to wait for its owner to ask again.
      #expect(try await apps.signUp(.messai, "kay").status == 201)
      #expect(try await apps.server.mailCount(to: "kay@example.com") == 0)
      #expect(try Elsewhere.post(url(apps, "/v1/password-reset"), ask) == 202)
      #expect(try await apps.server.mailCount(to: "pat@example.com") == 3)
    }
  }

  @Test("T031 mails per tenant: no user of this app is mailed any more, for any client; other apps go on")
  func perTenant() async throws {
    try await run("mail_per_tenant: 2/1h") { apps in
      try await exhaust(apps)
      #expect(try Elsewhere.post(url(apps, "/v1/sign-up"), App.messai.signUp("kay")) == 201)
      #expect(try await apps.server.mailCount(to: "kay@example.com") == 0)
      #expect(try await apps.signUp(.vibes, "kay").status == 201)
      #expect(try await apps.server.mailCount(to: "kay@example.com") == 1)
    }
  }

  @Test("sign-ups per tenant bind every caller; after the window all is as before")
  func signUpsPerTenant() async throws {
    try await run("sign_up_per_tenant: 2/1h") { apps in
      #expect(try await apps.signUp(.messai, "ann").status == 201)
      #expect(try Elsewhere.post(url(apps, "/v1/sign-up"), App.messai.signUp("bob")) == 201)
      let refused = try await apps.signUp(.messai, "cat")
      #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter == 3600)
      #expect(try Elsewhere.post(url(apps, "/v1/sign-up"), App.messai.signUp("cat")) == 429)
      #expect(try await apps.signUp(.vibes, "cat").status == 201)
      apps.server.clock.advance(seconds: 3600)
      #expect(try await apps.signUp(.messai, "cat").status == 201)
    }
  }

  @Test("codes tried per account: the limit holds over several codes, and for the right one too")
  func codesPerAccount() async throws {
    try await run("code_per_account: 6/1h") { apps in
      let token = try await apps.signUp(.messai).json.accessToken
      func type(_ code: String) async throws -> TestClient.Answer {
        try await apps.messai.post(
          "/v1/email-verification/confirm",
          #"{"email":"pat@example.com","code":"\#(code)","password":"\#(App.password)"}"#)
      }
      func code() async throws -> String { try #require(try await apps.server.latestMail(to: "pat@example.com")?.code) }
      let first = try await code()
      for _ in 0..<4 { #expect(try await type(first == "111111" ? "222222" : "111111").code == "code_invalid") }
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.messai.post("/v1/email-verification", token: token).status == 202)
      let second = try await code()
      for _ in 0..<2 { #expect(try await type(second == "111111" ? "222222" : "111111").code == "code_invalid") }
      let right = try await type(second)
      #expect(right.status == 429 && right.code == "rate_limited" && right.retryAfter == 3540)
      apps.server.clock.advance(seconds: 3540)
      #expect(try await apps.messai.post("/v1/email-verification", ask).status == 202)
      #expect(try await type(try await code()).status == 200)
    }
  }

  @Test("requests per address and per tenant", arguments: ["requests_per_ip", "requests_per_tenant"])
  func requests(name: String) async throws {
    try await run("\(name): 3/1m") { apps in
      let check = #"{"password":"kt49xw"}"#
      for _ in 0..<3 { #expect(try await apps.messai.post("/v1/password-check", check).status == 200) }
      let refused = try await apps.messai.post("/v1/password-check", check)
      #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter == 60)
      let elsewhere = try Elsewhere.post(url(apps, "/v1/password-check"), check)
      #expect(elsewhere == (name == "requests_per_ip" ? 200 : 429))
      #expect(try await apps.vibes.post("/v1/password-check", check).status == 200)
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.messai.post("/v1/password-check", check).status == 200)
    }
  }

  @Test("documents too, each time they are asked for", arguments: ["requests_per_ip", "requests_per_tenant"])
  func documents(name: String) async throws {
    try await run("\(name): 3/1m") { apps in
      for _ in 0..<3 { #expect(try await apps.messai.get("/v1/policy").status == 200) }
      let refused = try await apps.messai.get("/v1/policy")
      #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter == 60)
    }
  }
}
