import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The built program")
struct InstallationTests {
  private func stop(_ server: ServerProcess) {
    #expect(server.stop() == 0)
    #expect(server.log.last?.contains("server.stopped") == true)
  }

  @Test("an operator makes DD Ride's people and its administrator at the command line, beside the running server")
  func operated() async throws {
    try await Installation.run { here in
      let server = try await here.serve()
      try await here.create(.ride, server)
      let ride = server.client(.ride)
      let up = try await ride.post("/v1/sign-up", App.ride.signUp("willie"))
      #expect(up.status == 201 && up.json.next == ["verify_email"])
      let mail = try await here.sink.next(to: "willie@ksu.edu").read
      let page = try await LinkPage(opening: try here.link(mail.link, at: server))
      // T047: reached over HTTPS, the flow's cookie goes to this host and nowhere else.
      #expect(page.setCookie.hasPrefix("__Host-gh.flow="))
      for attribute in ["Secure", "HttpOnly", "Path=/", "SameSite="] { #expect(page.setCookie.contains(attribute)) }
      #expect(try await page.confirm().status == 200)

      let set = try here.gatehouse("user set dd-ride willie@ksu.edu role=admin chapterId=KAPPA")
      #expect(set.exit == 0, "\(set.errors)")
      let token = try await ride.post("/v1/token", #"{"refresh_token":"\#(up.json.refreshToken)"}"#)
      let claims = try Token.claims(of: token.json.accessToken)
      #expect(claims["role"] == .string("admin") && claims["chapterId"] == .string("KAPPA"))
      #expect(claims["access"] == .string("full"))
      #expect(claims["iss"] == .string(Installation.publicURL + "/t/dd-ride"))
      let list = try await ride.get("/v1/users", token: token.json.accessToken)
      #expect(list.status == 200 && list.json["items"]?.array?.count == 1)

      // The policy judges operators too.
      let refused = try here.gatehouse("user create dd-ride kay@notksu.edu name=Kay phoneNumber=7855550123")
      #expect(refused.exit == 4 && refused.errors.contains("email.allowed_domains"))
      let wrong = try here.gatehouse("user set dd-ride willie@ksu.edu classYear=5")
      #expect(wrong.exit == 4 && wrong.errors.contains("classYear.max"))
      let made = try here.gatehouse("user create dd-ride Kay@KSU.edu name=Kay phoneNumber=785-555-0123 classYear=2")
      #expect(made.exit == 0, "\(made.errors)")
      let invitation = try await here.sink.next(to: "kay@ksu.edu").read
      #expect(invitation.subject == "Your DD Ride account is ready")
      let welcome = try await LinkPage(opening: try here.link(invitation.link, at: server))
      #expect(try await welcome.setPassword(App.password).status == 200)
      let kay = try await ride.post("/v1/sign-in", App.ride.signIn("kay"))
      #expect(kay.status == 200 && kay.json["user"]?["profile"]?["classYear"] == .integer(2))
      #expect(kay.json["user"]?["profile"]?["phoneNumber"] == .string("+17855550123"))

      #expect(try here.gatehouse("user revoke dd-ride kay@ksu.edu --yes").exit == 0)
      #expect(try await ride.get("/v1/me", token: kay.json.accessToken).code == "session_revoked")
      let again = try await ride.post("/v1/sign-in", App.ride.signIn("kay"))
      #expect(again.status == 200)
      #expect(try here.gatehouse("user disable dd-ride kay@ksu.edu --yes").exit == 0)
      #expect(try await ride.get("/v1/me", token: again.json.accessToken).code == "session_revoked")
      #expect(try await ride.post("/v1/sign-in", App.ride.signIn("kay")).code == "account_disabled")
      let audit = try here.gatehouse("audit search dd-ride --output ndjson")
      for event in ["user_created", "user_updated", "user_disabled", "email_verified", "authn_password_reset"] {
        #expect(audit.output.contains("\"\(event)\""), "\(event)")
      }
      stop(server)
      // T120: no user's address, name or number is in the log.
      let log = server.log.joined().lowercased()
      #expect(log.contains("/v1/sign-up"))
      for secret in ["ksu.edu", "willie", "555-0123", "7855550123", App.password.lowercased(), "gh_rt_", "eyjhbgcioi"] {
        #expect(!log.contains(secret), "\(secret)")
      }
    }
  }

  @Test("keys rotated and a policy applied at the command line bind the running server, and old tokens stay good")
  func applied() async throws {
    try await Installation.run { here in
      let server = try await here.serve()
      try await here.create(.vibes, server)
      let vibes = server.client(.vibes)
      let up = try await vibes.post("/v1/sign-up", App.vibes.signUp()).json
      for _ in 0..<2 { #expect(try here.gatehouse("key rotate vibes --now --yes").exit == 0) }
      let peer = TokenPeer(
        server: server.url, tenant: "vibes", issuer: Installation.publicURL + "/t/vibes")
      let rotated = try await eventually {
        try await vibes.get("/.well-known/jwks.json").json["keys"]?.array?.count == 3
      }
      #expect(rotated)
      let back = try await vibes.post("/v1/sign-in", App.vibes.signIn()).json
      let verdicts = try peer.verify([up.accessToken, back.accessToken])
      #expect(verdicts.allSatisfy { $0.claims?["sub"] == .string(up.userID) })
      #expect(Set(verdicts.compactMap { $0.header?["kid"]?.string }).count == 2)

      let text = PolicyText.withoutTests(try TestLists.policy("vibes"))
      let file = try here.write(text.replacing("min_length: 6}", with: "min_length: 12}"), as: .vibes)
      let applied = try here.gatehouse("policy apply vibes \(file)")
      #expect(applied.exit == 0, "\(applied.errors)")
      let heard = try await eventually { try await vibes.get("/v1/policy").revision == 2 }
      #expect(heard)
      let refused = try await vibes.post("/v1/sign-up", App.vibes.signUp("kay"))
      #expect(refused.rules == ["password.min6"] && refused.revision == 2)
      // Back again lets more in: that is asked for by name.
      try here.write(text, as: .vibes)
      #expect(try here.gatehouse("policy apply vibes \(file)").exit == 4)
      #expect(try here.gatehouse("policy apply vibes \(file) --allow-weaker").exit == 0)
      let open = try await eventually { try await vibes.get("/v1/policy").revision == 3 }
      #expect(open)
      #expect(try await vibes.post("/v1/sign-up", App.vibes.signUp("kay")).status == 201)

      // Switched off, the app admits no user, whatever they hold; switched on, everything is as it was.
      #expect(try here.gatehouse("tenant disable vibes --yes").exit == 0)
      let off = try await eventually { try await vibes.get("/v1/policy").code == "tenant_disabled" }
      #expect(off)
      let held = #"{"refresh_token":"\#(back.refreshToken)"}"#
      #expect(try await vibes.post("/v1/token", held).code == "tenant_disabled")
      #expect(try await vibes.get("/v1/me", token: back.accessToken).code == "tenant_disabled")
      #expect(try here.gatehouse("tenant enable vibes").exit == 0)
      let on = try await eventually { try await vibes.get("/v1/policy").status == 200 }
      #expect(on)
      #expect(try await vibes.post("/v1/token", held).status == 200)
      stop(server)
    }
  }

  @Test("kill -9 among sign-ups: every person who was told so is there, whole, after the start that follows")
  func killed() async throws {
    try await Installation.run(ownCluster: true) { here in
      var server = try await here.serve()
      try await here.create(.messai, server)
      let (acknowledged, first) = (LockBox<[Int]>([]), server)
      // Within the true limit of twenty sign-ups an hour. Four at a time, and the kill falls among them.
      _ = try await atOnce(4) { purpose in
        for number in stride(from: purpose, to: 20, by: 4) {
          let app = App.messai
          guard let up = try? await first.client(app).post("/v1/sign-up", app.signUp("p\(number)")) else { return }
          guard up.status == 201 else { continue }
          let count = acknowledged.withLock { done in
            done.append(number)
            return done.count
          }
          if count == 6 { first.kill() }
        }
      }
      let users = acknowledged.withLock { $0 }
      #expect(users.count >= 6)
      server = try await here.serve()
      // Of its own threads only the loops that answer requests go first, and no process of its PostgreSQL.
      let loops = Set((0..<ProcessInfo.processInfo.activeProcessorCount).map { "loop-\($0)" })
      let areFirst = try await eventually { server.firstThreads == loops }
      #expect(areFirst == RealTime.isAllowed)
      #expect(server.firstDatabaseProcesses == 0)
      for number in users {
        let back = try await server.client(.messai).post("/v1/sign-in", App.messai.signIn("p\(number)"))
        #expect(back.status == 200 && back.json["user"]?["profile"]?["displayName"] == .string("p\(number)"))
      }
      // A user who was not told so is stored whole, or not at all and may sign up again.
      for number in Set(0..<20).subtracting(users) {
        let back = try await server.client(.messai).post("/v1/sign-in", App.messai.signIn("p\(number)"))
        #expect(back.status == 401 || back.json["user"]?["profile"]?["displayName"] == .string("p\(number)"))
      }
      stop(server)
    }
  }

  @Test("edited files of a watched directory: stricter ones count, weaker ones only where that is allowed")
  func watched() async throws {
    try await Installation.run { here in
      let text = PolicyText.withoutTests(try TestLists.policy("dd-ride"))
      try here.write(text, as: .ride)
      let development = ["GATEHOUSE_DEV": "true", "GATEHOUSE_WATCH": here.directory + "/policies"]
      var server = try await here.serve(development)
      func revision(_ number: Int) async throws -> Bool {
        try await eventually { try await server.client(.ride).get("/v1/policy").revision == number }
      }
      let begun = try await revision(1)
      #expect(begun)
      let longer = text.replacing("min_length: 8}", with: "min_length: 9}")
      try here.write(longer, as: .ride)
      let tightened = try await revision(2)
      #expect(tightened)
      let refused = try await server.client(.ride).post("/v1/sign-up", App.ride.signUp(password: "Wildcat1"))
      #expect(refused.rules == ["password.min8"] && refused.revision == 2)
      let wider = longer.replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [ksu.edu, wichita.edu]")
      try here.write(wider, as: .ride)
      let told = try await eventually { server.log.contains { $0.contains("policy.refused") && $0.contains("weaker") } }
      #expect(told)
      let still = try await revision(2)
      #expect(still)
      stop(server)

      server = try await here.serve(development.merging(["GATEHOUSE_WATCH_ALLOW_WEAKER": "true"]) { $1 })
      // An edit before the watch began, or a refused one, does not count; saving it again does, once the watch runs.
      var saved = 0
      let widened = try await eventually {
        saved += 1
        try here.write(wider + "# saved \(saved) times\n", as: .ride)
        return try await server.client(.ride).get("/v1/policy").revision ?? 0 > 2
      }
      #expect(widened)
      let up = try await server.client(.ride).post(
        "/v1/sign-up", App.ride.signUp(password: "Wildcat12").replacing("ksu.edu", with: "wichita.edu"))
      #expect(up.status == 201 && up.revision ?? 0 > 2)
      stop(server)
    }
  }
}
