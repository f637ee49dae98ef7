import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// All requests come from one address of this machine, as those of a campus do.
@Suite("One address, many people")
struct CampusTests {
  @Test("T152 three hundred people behind one address sign up, type a code and reset a password within an hour")
  func honest() async throws {
    try await ThreeApps.run { apps in
      let users = (1...300).map { "w\($0)@ksu.edu" }
      var statuses: [String: [Int]] = [:]
      var tokens: [String: String] = [:]
      var ids: [String: String] = [:]
      for email in users {
        let up = try await apps.ride.post(
          "/v1/sign-up",
          #"{"email":"\#(email)","password":"Wildcat1","profile":{"name":"W","phoneNumber":"7855550123"}}"#)
        statuses[email, default: []].append(up.status)
        tokens[email] = up.json.accessToken
      }
      let codes = try await apps.server.latestMails()
      for email in users {
        let verified = try await apps.ride.post(
          "/v1/email-verification/confirm", #"{"email":"\#(email)","code":"\#(codes[email]?.code ?? "")"}"#,
          token: tokens[email])
        let asked = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
        statuses[email, default: []] += [verified.status, asked.status]
        ids[email] = asked.resetID
      }
      // The newer mail is told by its time.
      apps.server.clock.advance(seconds: 1)
      let resets = try await apps.server.latestMails()
      for email in users {
        let reset = try await apps.ride.post(
          "/v1/password-reset/confirm",
          """
          {"reset_id":"\(ids[email] ?? "")","email":"\(email)","code":"\(resets[email]?.code ?? "")","password":"Bobcat99"}
          """)
        statuses[email, default: []].append(reset.status)
      }
      #expect(statuses.filter { $0.value != [201, 200, 202, 204] } == [:])
    }
  }

  @Test("T153 of 720 guesses at codes of 120 accounts from one address, those beyond a hundred are refused")
  func guesses() async throws {
    try await ThreeApps.run { apps in
      for number in 1...120 { _ = try await apps.rider("w\(number)@ksu.edu") }
      var answers: [Int: Int] = [:]
      for number in 1...120 {
        let email = "w\(number)@ksu.edu"
        let id = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"}"#).resetID
        for guess in 1...6 {
          let tried = try await apps.ride.post(
            "/v1/password-reset/confirm",
            #"{"reset_id":"\#(id)","email":"\#(email)","code":"00000\#(guess)","password":"Bobcat99"}"#)
          answers[tried.status, default: 0] += 1
        }
      }
      #expect(answers == [400: 100, 429: 620])
    }
  }

  @Test("T153 resets for made-up addresses from one address end at the limit, with an answer that says when to go on")
  func resets() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .ride ? PolicyText.limits("reset_per_ip: 5/1h", in: text) : text
    }) { apps in
      var statuses: [Int] = []
      for number in 1...6 {
        let asked = try await apps.ride.post("/v1/password-reset", #"{"email":"nobody\#(number)@ksu.edu"}"#)
        statuses.append(asked.status)
        if asked.status == 429 { #expect(asked.code == "rate_limited" && asked.headers["retry-after"] == "3600") }
      }
      #expect(statuses == [202, 202, 202, 202, 202, 429])
    }
  }

  @Test("T153 a tenant's wrong tries end at its limit, wherever they come from; a right code counts for nothing")
  func tenant() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .ride ? PolicyText.limits("code_per_tenant: 2/1h", in: text) : text
    }) { apps in
      for number in 1...3 {
        let email = "w\(number)@ksu.edu"
        let up = try await apps.rider(email)
        let code = try #require(try await apps.server.latestMail(to: email)?.code)
        let right = try await apps.ride.post(
          "/v1/email-verification/confirm", #"{"email":"\#(email)","code":"\#(code)"}"#, token: up.accessToken)
        #expect(right.status == 200, "\(right.text)")
      }
      let url = apps.server.url + "/t/dd-ride/v1/password-reset/confirm"
      let id = try await apps.ride.post("/v1/password-reset", #"{"email":"w1@ksu.edu"}"#).resetID
      let guess = #"{"reset_id":"\#(id)","email":"w1@ksu.edu","code":"000000","password":"Bobcat99"}"#
      var statuses: [Int] = []
      for host in 2...4 {
        statuses.append(try Elsewhere.post(url, guess, from: "127.0.0.\(host)"))
      }
      #expect(statuses == [400, 400, 429])
    }
  }

  @Test("T154 a person's changes of the own profile end at a hundred and twenty an hour")
  func profile() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      var statuses: [Int: Int] = [:]
      for number in 1...121 {
        let changed = try await apps.ride.send(
          "PATCH", "/v1/me", #"{"profile":{"name":"Willie \#(number)"}}"#, token: rider.accessToken)
        statuses[changed.status, default: 0] += 1
      }
      #expect(statuses == [200: 120, 429: 1])
    }
  }
}
