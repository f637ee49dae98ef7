import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The way of a mail to its mail server")
struct MailTransportTests {
  @Test("everything goes encrypted and logged in where the mail server asks for it")
  func startTLS() async throws {
    let login = (user: "gatehouse@mail", password: "p@ss/ word:1")
    try await ThreeApps.runWithMail(MailSink.Options(tls: .starttls, login: login)) { apps in
      let up = try await apps.signUp(.ride).json
      let delivery = try await apps.delivery(to: App.ride.email())
      #expect(delivery.tls && delivery.login == login.user)
      #expect(try await LinkPage(opening: delivery.read.link).confirm().status == 200)
      #expect(try await apps.me(.ride, up.accessToken).json["access"] == .string("full"))
    }
  }

  @Test("a mail server that is busy gets the mail later, once, and its link still works")
  func busy() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await sink.answer(.rcpt, with: "451 4.3.0 try later")
      let up = try await apps.signUp(.ride)
      #expect(up.status == 201)  // no request waits for a mail server
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 0)
      apps.server.clock.advance(seconds: 4)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 0)
      apps.server.clock.advance(seconds: 1)
      let mail = try await apps.mail(to: App.ride.email())
      #expect(try await sink.waiting == 0)
      #expect(try await LinkPage(opening: mail.link).confirm().status == 200)
    }
  }

  @Test("mails that wait for a mail server that was away leave with the first one that it takes again")
  func away() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      let people = ["a", "b", "c"]
      try await sink.answer(.rcpt, with: "451 4.3.0 try later", times: 4 * people.count)
      for person in people { #expect(try await apps.signUp(.ride, person).status == 201) }
      // The fourth try is postponed by five minutes.
      for seconds in [0, 5, 15, 60] {
        apps.server.clock.advance(seconds: Double(seconds))
        try await apps.server.deliverMail()
      }
      #expect(try await sink.waiting == 0)
      #expect(try await apps.signUp(.ride, "d").status == 201)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == people.count + 1)
    }
  }

  @Test("a recipient that is put off while others get their mail is tried at its own time")
  func greylisted() async throws {
    try await ThreeApps.runWithMail { apps in
      let sink = try #require(apps.sink)
      try await sink.answer(.rcpt, with: "451 4.7.1 greylisted", times: 1)
      #expect(try await apps.signUp(.ride, "a").status == 201)
      try await apps.server.deliverMail()
      #expect(try await apps.signUp(.ride, "b").status == 201)
      try await apps.server.deliverMail()
      #expect(try await sink.waiting == 1)
    }
  }

  @Test("a mail is in the language of the request, if the app has that language")
  func language() async throws {
    try await ThreeApps.runWithMail { apps in
      for app in [App.ride, .messai] {
        let up = try await apps.client(app).send(
          "POST", "/v1/sign-up", app.signUp(), headers: ["Accept-Language": "es-MX,es;q=0.9"])
        #expect(up.status == 201)
      }
      let spanish = try await apps.mail(to: App.ride.email())
      #expect(spanish.text.contains("Confirma") && spanish.code != nil && spanish.link != nil)
      // messAI speaks English only.
      #expect(try await apps.mail(to: App.messai.email()).text.contains("Confirm your email address"))
    }
  }

  @Test("T039 nothing that a request says about hosts ends up in a link", arguments: [false, true])
  func hosts(absolute: Bool) async throws {
    try await ThreeApps.runWithMail { apps in
      let poisoned = NamedClient(server: apps.server, host: "evil.example")
      let up = try poisoned.send(
        "POST", "/t/dd-ride/v1/sign-up", App.ride.signUp(),
        target: absolute ? "http://evil.example/t/dd-ride/v1/sign-up" : nil,
        fields: [
          "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https", "Forwarded: host=evil.example",
          "X-Original-URL: https://evil.example/", "X-Host: evil.example",
        ])
      #expect(up.status == 201 && !up.head.contains("evil") && !up.body.contains("evil"))
      let mail = try await apps.mail(to: App.ride.email())
      #expect(mail.link?.hasPrefix(apps.server.url + "/t/dd-ride/ui/verify-email?lang=en&token=") == true)
      #expect(!mail.text.contains("evil.example") && !mail.html.contains("evil.example"))
      #expect(try Token.claims(of: up.json.accessToken)["iss"] == .string(apps.server.url + "/t/dd-ride"))
    }
  }

  @Test("T032 a link's token is not in the database, and what is there redeems nothing")
  func storedHashed() async throws {
    try await ThreeApps.runWithMail { apps in
      _ = try await apps.signUp(.ride)
      let link = try #require(try await apps.mail(to: App.ride.email()).link)
      let token = try #require(link.split(separator: "=").last.map(String.init))
      let dump = try await apps.server.storage.dump()
      #expect(!dump.contains(token))
      #expect(dump.contains(App.ride.email()))  // the dump does show what is stored in clear
      let row = try #require(dump.split(separator: "\n").first { $0.contains("verify_email") && $0.contains("\\\\x") })
      for hex in row.split(separator: "\t") where hex.hasPrefix("\\\\x") {
        let replayed = String(hex.dropFirst(3))
        let refused = try await apps.ride.post("/v1/email-verification/confirm", #"{"token":"\#(replayed)"}"#)
        #expect(refused.status == 400 && refused.code == "code_invalid")
      }
    }
  }
}
