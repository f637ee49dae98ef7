import Foundation
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The time of a mailed code")
struct CodeTimeTests {
  private static let busy = "451 4.3.0 try later"

  private func confirm(_ code: String?, _ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.ride.post(
      "/v1/email-verification/confirm",
      #"{"email":"\#(App.ride.email())","code":"\#(try #require(code))","password":"\#(App.password)"}"#)
  }

  /// Tries until the mail server takes mails again.
  private func pass(_ seconds: [Double], _ apps: ThreeApps) async throws {
    for pause in seconds {
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: pause)
    }
  }

  @Test("a code whose mail waited for longer than it lives is good for its whole time after that")
  func late() async throws {
    try await ThreeApps.runWithMail { apps in
      try await #require(apps.sink).answer(.rcpt, with: Self.busy, times: 5)
      #expect(try await apps.signUp(.ride).status == 201)
      try await pass([5, 15, 60, 300, 900], apps)
      let mail = try await apps.mail(to: App.ride.email())
      #expect(mail.text.contains("10 minutes"))
      apps.server.clock.advance(seconds: 599)
      #expect(try await confirm(mail.code, apps).status == 200)
    }
  }

  @Test("a code that waited for its mail ends at its time after the mail")
  func ends() async throws {
    try await ThreeApps.runWithMail { apps in
      try await #require(apps.sink).answer(.rcpt, with: Self.busy, times: 5)
      #expect(try await apps.signUp(.ride).status == 201)
      try await pass([5, 15, 60, 300, 900], apps)
      let mail = try await apps.mail(to: App.ride.email())
      apps.server.clock.advance(seconds: 600)
      #expect(try await confirm(mail.code, apps).code == "code_expired")
    }
  }

  @Test("two mails of a code whose first answer was lost carry the same code, which lives after either")
  func twice() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await sink.answer(.taken, with: Self.busy, times: 5)
      #expect(try await apps.signUp(.ride).status == 201)
      try await pass([5, 15, 60, 300, 900], apps)
      try await apps.server.deliverMail()
      var codes: Set<String> = []
      for _ in 0..<6 { codes.insert(try #require(try await sink.next().mail?.code)) }
      #expect(codes.count == 1)
      #expect(try await sink.waiting == 0)
      apps.server.clock.advance(seconds: 599)
      #expect(try await confirm(codes.first, apps).status == 200)
    }
  }

  @Test("a mail whose code was used meanwhile is not sent")
  func void() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await sink.answer(.taken, with: Self.busy)
      #expect(try await apps.signUp(.ride).status == 201)
      try await apps.server.deliverMail()
      #expect(try await confirm(try await sink.next().mail?.code, apps).status == 200)
      apps.server.clock.advance(seconds: 86_000)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 0)
      #expect(try await apps.server.storage.dump().contains("its code is void"))
    }
  }

  @Test("a mail that another one took the place of is not sent, and the newer one carries a living code")
  func superseded() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await sink.answer(.rcpt, with: Self.busy)
      let up = try await apps.signUp(.ride)
      #expect(up.status == 201)
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: 300)
      #expect(try await apps.ride.post("/v1/email-verification", token: up.json.accessToken).status < 300)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 1)
      #expect(try await confirm(try await sink.next().mail?.code, apps).status == 200)
    }
  }

  @Test("a mail that waited for a day is dropped")
  func bound() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await sink.answer(.rcpt, with: Self.busy)
      #expect(try await apps.signUp(.ride).status == 201)
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: 86_400)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 0)
    }
  }
}
