import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The pages behind the links of mails")
struct PageTests {
  /// The path below the tenant, with its query, of a mail's link.
  private func path(_ link: String?) throws -> String {
    let link = try #require(link)
    return String(link[try #require(link.range(of: "/ui/")).lowerBound...])
  }

  private func cookie(_ answer: TestClient.Answer) throws -> String {
    String(try #require(answer.headers["set-cookie"]?.split(separator: ";").first))
  }

  private func proof(_ answer: TestClient.Answer) throws -> String {
    let start = try #require(answer.text.range(of: #"name="csrf" value=""#)).upperBound
    return String(answer.text[start...].prefix { $0 != "\"" })
  }

  private let form = ["Content-Type": "application/x-www-form-urlencoded"]

  @Test("T037 T038 opening a link consumes nothing; the token leaves the address bar; the button verifies")
  func verify() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let path = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      for _ in 0..<3 {
        let opened = try await apps.ride.get(path)
        #expect(opened.status == 303 && opened.headers["location"] == "verify-email")
        #expect(opened.headers["referrer-policy"] == "no-referrer" && opened.headers["cache-control"] == "no-store")
      }
      let cookie = try cookie(try await apps.ride.get(path))
      let page = try await apps.ride.send("GET", "/ui/verify-email", headers: ["Cookie": cookie])
      #expect(page.status == 200 && page.text.contains("Verify my email"))
      #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("limited"))
      let body = "csrf=\(try proof(page))&password=Wildcat1"
      let done = try await apps.ride.send(
        "POST", "/ui/verify-email", body, headers: form.merging(["Cookie": cookie]) { $1 })
      #expect(done.status == 200 && done.text.contains("verified"))
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("full"))
      let again = try await apps.ride.send(
        "POST", "/ui/verify-email", body, headers: form.merging(["Cookie": cookie]) { $1 })
      #expect(again.status == 400 && again.text.contains("already used"))
    }
  }

  @Test("T117 a form without its proof, without its cookie or from elsewhere does nothing")
  func forged() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let path = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let cookie = try cookie(try await apps.ride.get(path))
      let page = try await apps.ride.send("GET", "/ui/verify-email", headers: ["Cookie": cookie])
      let body = "csrf=" + (try proof(page))
      let attempts: [(String, [String: String])] = [
        ("", ["Cookie": cookie]), ("csrf=wrong", ["Cookie": cookie]), (body, [:]),
        (body, ["Cookie": cookie, "Sec-Fetch-Site": "cross-site"]),
        (body, ["Cookie": cookie, "Origin": "https://evil.example"]),
      ]
      for (text, headers) in attempts {
        let refused = try await apps.ride.send(
          "POST", "/ui/verify-email", text, headers: form.merging(headers) { $1 })
        #expect(refused.status == 403, "\(text) \(headers)")
      }
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("limited"))
    }
  }

  @Test("a new password is set on the page, by the rules of the policy")
  func reset() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.rider()
      apps.server.clock.advance(seconds: 1)
      _ = try await apps.ride.post("/v1/password-reset", #"{"email":"willie@ksu.edu"}"#)
      let path = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let cookie = try cookie(try await apps.ride.get(path))
      let headers = form.merging(["Cookie": cookie]) { $1 }
      let page = try await apps.ride.send("GET", "/ui/reset-password", headers: ["Cookie": cookie])
      #expect(page.text.contains("At least 8 characters"))
      let proof = try proof(page)
      let unlike = try await apps.ride.send(
        "POST", "/ui/reset-password", "csrf=\(proof)&password=Bobcat99&again=Bobcat98", headers: headers)
      #expect(unlike.status == 422 && unlike.text.contains("not the same"))
      let weak = try await apps.ride.send(
        "POST", "/ui/reset-password", "csrf=\(proof)&password=bob&again=bob", headers: headers)
      #expect(weak.status == 422 && weak.text.contains("At least one uppercase letter"))
      let done = try await apps.ride.send(
        "POST", "/ui/reset-password", "csrf=\(proof)&password=Bobcat99&again=Bobcat99", headers: headers)
      #expect(done.status == 200)
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Bobcat99"}"#).status == 200)
    }
  }

  @Test("a page escapes every value from outside")
  func escaping() async throws {
    try await ThreeApps.share { apps in
      let page = try await apps.ride.get("/ui/verify-email?token=%3Cscript%3E")
      #expect(page.status == 400 && !page.text.contains("<script"))
      #expect(try await apps.ride.get("/ui/nowhere").status == 404)
    }
  }
}
