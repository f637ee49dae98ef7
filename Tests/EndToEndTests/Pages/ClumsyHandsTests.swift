import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What clumsy hands meet at the hosted pages")
struct ClumsyHandsTests {
  @Test("an address that ends at the pages leads to sign-in, with and without the slash", arguments: ["/ui", "/ui/"])
  func shortened(_ address: String) async throws {
    try await ThreeApps.share { apps async throws in
      let browser = FormClient(apps, .messai)
      let first = try await browser.send("GET", "/t/messai" + address)
      #expect(try await browser.follow(first, from: "/t/messai" + address).path == "sign-in")
    }
  }

  @Test(
    "no other address has a slash at its end",
    arguments: ["v1/policy/", "v1/users/", "/ui", "ui//"])
  func slashes(_ path: String) async throws {
    try await ThreeApps.share { apps async throws in
      #expect(try await FormClient(apps, .messai).send("GET", "/t/messai/\(path)").status == 404)
    }
  }

  @Test(
    "an app that is not here is told on a page, in the reader's language",
    arguments: ["en": "There is no such app here", "es-MX": "Esa aplicación no existe aquí", "fi": "There is no such"])
  func noApp(_ language: String, _ told: String) async throws {
    try await ThreeApps.share { apps async throws in
      let browser = FormClient(apps, .messai, headers: ["Accept-Language": language])
      #expect(try await browser.send("GET", "/t/messia/ui/sign-in").text.contains("<h1>\(told)"))
    }
  }

  @Test("a page of an app that is not here forbids everything that it does not need")
  func noAppHeaders() async throws {
    try await ThreeApps.share { apps async throws in
      let answer = try await FormClient(apps, .messai).send("GET", "/t/messia/ui/verify-email?token=gh_ev_x")
      #expect(
        answer.headers["content-security-policy"]?.hasSuffix(
          "img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'") == true)
    }
  }

  @Test("two passwords that differ are told with everything else that is wrong")
  func everything() async throws {
    try await ThreeApps.share { apps async throws in
      let page = try await FormClient(apps, .messai).send(
        "sign-up", ["email": "anna", "password": "short", "again": "other"])
      let told = page.text.matches(of: /<li><a href="#([^"]+)">/).map { String($0.output.1) }
      #expect(told == ["email", "profile.displayName", "password", "again"])
    }
  }

  @Test("two passwords that differ make no account, however good they are")
  func different() async throws {
    try await ThreeApps.share { apps async throws in
      let before = try await apps.rows()
      _ = try await FormClient(apps, .messai).send(
        "sign-up",
        [
          "email": "anna@example.com", "password": "Quilted-Harbour-2031!", "again": "Quilted-Harbour-2031",
          "profile.displayName": "Anna",
        ])
      #expect(try await apps.rows() == before)
    }
  }
}
