import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The headers of pages")
struct PageHeaderTests {
  private static let token = "gh_ev_" + String(repeating: "A", count: 43)

  @Test("T038 T116 every page forbids what it does not need, whatever it says", arguments: [true, false])
  func headers(_ isSecure: Bool) async throws {
    let server = try await TestServer.start(
      policies: ["messai": try TestLists.policy("messai")], isSecure: isSecure)
    let client = TestClient(server.url + "/t/messai")
    do {
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let answers = [
        try await client.get("/ui/verify-email"), try await client.get("/ui/reset-password"),
        try await client.get("/ui/nowhere"), try await client.get("/ui/verify-email?token=%3C"),
        try await client.send("POST", "/ui/verify-email", "csrf=1", headers: form),
        try await client.send("POST", "/ui/verify-email", "{}"), try await client.send("PUT", "/ui/verify-email"),
      ]
      #expect(answers.map(\.status) == [200, 200, 404, 400, 403, 415, 405])
      for answer in answers {
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8", "\(answer.status)")
        let policy = answer.headers["content-security-policy"] ?? ""
        for part in [
          "default-src 'none'", "object-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
          "img-src 'self'",
        ] {
          #expect(policy.contains(part), "\(part)")
        }
        #expect(!policy.contains("unsafe") && !policy.contains("script-src"))
        #expect(answer.headers["referrer-policy"] == "no-referrer")
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["x-frame-options"] == "DENY")
        #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
        #expect((answer.headers["strict-transport-security"] != nil) == isSecure)
        #expect(answer.headers["access-control-allow-origin"] == nil)
      }
      let nonces = Set(answers.map { $0.headers["content-security-policy"] })
      #expect(nonces.count == answers.count, "a nonce is used once")
      let moved = try await client.get("/ui/verify-email?token=\(Self.token)")
      #expect(moved.status == 303 && moved.headers["location"]?.hasPrefix("verify-email?f=") == true)
      #expect(moved.headers["location"]?.contains("gh_ev_") == false)
      #expect(moved.headers["referrer-policy"] == "no-referrer" && moved.headers["cache-control"] == "no-store")
      let cookie = moved.headers["set-cookie"] ?? ""
      #expect(cookie.hasPrefix((isSecure ? "__Host-" : "") + "gh.flow="))
      #expect(!cookie.contains("gh_ev_") && cookie.contains("; Path=/;"))
      #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax"))
      #expect(cookie.contains("; Secure") == isSecure && !cookie.contains("Domain"))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }
}
