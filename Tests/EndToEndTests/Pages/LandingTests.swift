import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Where people land who type or shorten an address")
struct LandingTests {
  private static let html = ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]

  @Test(
    "an address leads to the page that is meant",
    arguments: [
      ("/t/vibes", 303, "vibes/ui/"), ("/t/vibes/", 303, "ui/"), ("/t/vibes/ui/sign-in/", 308, "../sign-in"),
      ("/t/vibes/ui/account/", 308, "../account"), ("/t/vibes/ui/account/password/", 308, "../password"),
      ("/t/vibes/ui/connect/spotify/?f=x&y", 308, "../spotify?f=x&y"),
      ("/t/vibes/ui/verify-email/?token=x", 308, "../verify-email?token=x"),
      ("/t/vibes/.well-known/change-password", 303, "../ui/account/password"),
    ])
  func leads(path: String, status: Int, location: String) async throws {
    try await ThreeApps.share { apps in
      for method in ["GET", "HEAD"] {
        let answer = try await TestClient(apps.server.url).send(method, path, headers: Self.html)
        #expect(answer.status == status && answer.headers["location"] == location, "\(answer.seen)")
      }
    }
  }

  @Test(
    "where nothing is, a browser gets a page and a program a problem",
    arguments: [
      "/", "/t", "/none", "/t/none", "/t/vibes/none", "/t/vibes/v1/none", "/t/vibes/ui/none", "/t/vibes/ui/none/",
      "/t/vibes/v1/me/", "/%2e", "/.well-known/change-password",
    ])
  func nothing(path: String) async throws {
    try await ThreeApps.share { apps in
      let client = TestClient(apps.server.url)
      let page = try await client.send("GET", path, headers: Self.html)
      #expect(page.status == 404 && page.headers["content-type"]?.hasPrefix("text/html") == true, "\(page.seen)")
      #expect(page.headers["content-security-policy"] != nil)
      for accept in ["application/json", "*/*"] where !path.contains("/ui/") {
        let problem = try await client.send("GET", path, headers: ["Accept": accept])
        #expect(
          problem.status == 404 && problem.headers["content-type"] == "application/problem+json", "\(problem.seen)")
      }
      let sent = try await client.send("POST", path, "{}", headers: Self.html)
      #expect(sent.headers["location"] == nil)
    }
  }

  @Test("an operation of the API answers JSON to a browser as well")
  func operations() async throws {
    try await ThreeApps.share { apps in
      for (path, status) in [("/t/vibes/v1/me", 401), ("/t/none/v1/me", 404), ("/t/vibes/v1/users/none", 401)] {
        let answer = try await TestClient(apps.server.url).send("GET", path, headers: Self.html)
        #expect(
          answer.status == status && answer.headers["content-type"] == "application/problem+json", "\(answer.seen)")
      }
    }
  }
}
