import GatehouseAdminWire
import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

@Suite("A tenant's own host")
struct HostTests {
  private let host = "auth.ddride.example"

  /// A foreign server, which answers every path with something.
  private struct Stranger: HostProbe {
    let words: String

    func answer(of host: HostName) async throws -> [UInt8] { Array(words.utf8) }
  }

  private func add(_ name: String, to tenant: String = "dd-ride", _ apps: ThreeApps) async throws {
    _ = try await AddHost.run(.init(tenant: tenant, host: name), apps.asOperator)
  }

  private func verify(
    _ name: String, of tenant: String = "dd-ride", by probe: any HostProbe, _ apps: ThreeApps
  ) async throws {
    _ = try await VerifyHost.run(
      .init(tenant: tenant, host: name), apps.asOperator, by: probe, records: SystemTextRecords())
  }

  private func remove(_ name: String, from tenant: String = "dd-ride", _ apps: ThreeApps) async throws {
    _ = try await RemoveHost.run(.init(tenant: tenant, host: name), apps.asOperator)
  }

  /// Adds the host and verifies it.
  private func own(_ apps: ThreeApps) async throws { try await apps.own(host, of: "dd-ride") }

  @Test("a host counts once it shows that it leads here; before, it says that and nothing else")
  func verified() async throws {
    try await ThreeApps.run { apps in
      let there = NamedClient(server: apps.server, host: host)
      #expect(try there.get(TenantHost.proofPath).status == 404)
      try await add(host, apps)
      let tenant = try await Tenants.find("dd-ride", apps.server.services)
      let added = try #require(try await Hosts.of(tenant, apps.server.services).first)
      try await apps.reload()
      let proof = try there.get(TenantHost.proofPath)
      #expect(proof.status == 200 && proof.body == added.proof && !proof.body.isEmpty)
      #expect(try there.get("/v1/policy").status == 404)
      #expect(try await apps.operatorCall(.ride).tenant.issuer == apps.server.url + "/t/dd-ride")
      // Answered by another server, or by none.
      await #expect(throws: OperatorError.self) {
        try await verify(host, by: OwnHostProbe(server: apps.server, name: "elsewhere.example"), apps)
      }
      for words in ["", "It works!", added.proof + "\n", String(added.proof.dropLast())] {
        await #expect(throws: OperatorError.self, "\(words)") {
          try await verify(host, by: Stranger(words: words), apps)
        }
      }
      try await verify(host, by: OwnHostProbe(server: apps.server), apps)
      try await apps.reload()
      let policy = try there.get("/v1/policy")
      #expect(policy.status == 200 && policy.json["tenant"] == .string("dd-ride"))
      #expect(try there.get("/.well-known/jwks.json").json["keys"]?.array?.isEmpty == false)
    }
  }

  @Test("pages name the issuer of the address at which an app opened them, and no host that is not the tenant's own")
  func pages() async throws {
    try await ThreeApps.run { apps in
      try await add("waiting.ddride.example", apps)
      try await own(apps)
      let browser = FormClient(apps, .ride)
      let left = try await browser.send(browser.open(Opening.page(App.ride.scheme)), intent: "give-up")
      #expect(left.handed["iss"] == apps.server.url + "/t/dd-ride", "\(left.outside ?? left.text)")
      let tenant = try await apps.operatorCall(.ride).tenant
      #expect(tenant.issuer(at: host) == "http://\(host)")
      for other in [nil, "", "waiting.ddride.example", "evil.example", host + ".", host.uppercased()] {
        #expect(tenant.issuer(at: other) == apps.server.url + "/t/dd-ride", "\(other ?? "none")")
      }
    }
  }

  @Test("a browser that leaves for a provider comes back to the host that it left, or is not sent at all")
  func providers() async throws {
    try await ThreeApps.share { apps in
      let (own, shared, path) = (
        "https://auth.vibes.example", apps.server.url + "/t/vibes", "/v1/sign-in/google/callback"
      )
      let text = PolicyText.withoutTests(try TestLists.policy("vibes"))
      func google(_ listed: [String]) throws -> Provider {
        let lines = "  google:\n    redirect_uris: [\(listed.map { "\"\($0)\"" }.joined(separator: ", "))]\n"
        let name = try #require(TenantName("vibes"))
        let candidate = PolicyCandidate(
          listed.isEmpty ? text : text.replacing("  google:\n", with: lines), file: "vibes.yaml",
          apps.server.services)
        let judged = try candidate.judged(of: name, apps.server.services)
        return try #require(judged.policy.providers.first { $0.name == "google" })
      }
      #expect(try google([]).signInRedirect(at: own) == own + path)
      let both = try google([shared + path, own + path])
      #expect(both.signInRedirect(at: own) == own + path && both.signInRedirect(at: shared) == shared + path)
      let one = try google([shared + path])
      #expect(one.signsInBrowsers(at: shared) && !one.signsInBrowsers(at: own))
    }
  }

  @Test("issuer, links and pages follow the host; the shared address goes on, and so do tokens that named it")
  func follows() async throws {
    try await ThreeApps.runWithMail { apps in
      let before = try await apps.signUp(.ride, "kay").json
      _ = try await apps.mail(to: App.ride.email("kay"))
      try await own(apps)
      let there = NamedClient(server: apps.server, host: host)
      let up = try there.post("/v1/sign-up", App.ride.signUp())
      #expect(up.status == 201)
      #expect(try Token.claims(of: up.json.accessToken)["iss"] == .string("http://\(host)"))
      #expect(try there.get("/v1/me", token: up.json.accessToken).status == 200)
      #expect(try await apps.me(.ride, up.json.accessToken).status == 200)
      #expect(try there.get("/v1/me", token: before.accessToken).status == 200)
      let link = try #require(try await apps.mail(to: App.ride.email()).link)
      #expect(link.hasPrefix("http://\(host)/ui/verify-email?lang=en&token="))
      // The link as a browser opens it: the cookie is the host's, and the button's form comes from there.
      let path = String(link.dropFirst("http://\(host)".count))
      let opened = try there.get(path)
      #expect(opened.status == 303)
      let cookie = try #require(
        opened.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie: ") }?
          .dropFirst(12).split(separator: ";").first)
      #expect(!opened.head.lowercased().contains("domain="))
      let location = try #require(opened.head.firstMatch(of: /[Ll]ocation: (\S+)/)).output.1
      let page = try there.send("GET", "/ui/\(location)", fields: ["Cookie: \(cookie)"])
      let proofs = try LinkPage.proofs(of: page.body)
      #expect(
        try Self.form(proofs, "/ui/verify-email", apps, host, String(cookie), from: "evil.example") == 403)
      let pressed = try Self.form(
        proofs + "&password=Kq7%21vmTz9", "/ui/verify-email", apps, host, String(cookie))
      #expect(pressed == 303)
      #expect(try await apps.me(.ride, up.json.accessToken).json["user"]?["email_verified"] == .bool(true))
    }
  }

  /// Sends a form as a browser on that host does.
  private static func form(
    _ body: String, _ path: String, _ apps: ThreeApps, _ host: String, _ cookie: String, from: String? = nil
  )
    throws -> Int
  {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    curl.arguments = [
      "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--header", "Host: \(host)", "--header",
      "Cookie: \(cookie)", "--header", "Origin: http://\(from ?? host)", "--data",
      body, apps.server.url + path,
    ]
    curl.standardOutput = output
    try curl.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    curl.waitUntilExit()
    return Int(text) ?? 0
  }

  @Test("on its host a tenant is alone, and no other name or spelling leads to it")
  func alone() async throws {
    try await ThreeApps.run { apps in
      try await own(apps)
      let there = NamedClient(server: apps.server, host: host)
      #expect(try there.get("/t/dd-ride/v1/policy").status == 200)
      // Also when the same document was just asked for at the shared address.
      #expect(try await apps.messai.get("/v1/policy").status == 200)
      #expect(try there.get("/t/messai/v1/policy").code == "not_found")
      for name in [
        "AUTH.ddride.example", "auth.ddride.example.", "auth.ddride.example:8443", "evil.auth.ddride.example",
        "ddride.example", "localhost",
      ] {
        let elsewhere = NamedClient(server: apps.server, host: name)
        #expect(try elsewhere.get("/v1/policy").status >= 400, "\(name)")
        #expect(try elsewhere.get(TenantHost.proofPath).status >= 400, "\(name)")
      }
      let forwarded = try NamedClient(server: apps.server, host: "localhost").send(
        "GET", "/v1/policy", fields: ["X-Forwarded-Host: \(host)", "Forwarded: host=\(host)"])
      #expect(forwarded.status == 404)
    }
  }

  @Test("a logo is served on the host, where pages and the public policy name it; the shared address serves it too")
  func logo() async throws {
    try await ThreeApps.run { apps in
      try await own(apps)
      let logo = try await SetLogo.run(
        .init(tenant: "dd-ride", base64url: Base64URL.encode(LogoTests.file("dd-ride"))), apps.asOperator)
      try await apps.reload()
      #expect(logo.url.hasPrefix("http://\(host)/ui/assets/logo."))
      let there = NamedClient(server: apps.server, host: host)
      let path = String(logo.url.dropFirst("http://\(host)".count))
      #expect(try there.get("/ui/nowhere").body.contains("src=\"..\(path)\""))
      for path in [path, "/t/dd-ride" + path] { #expect(try there.get(path).status == 200) }
      #expect(try await apps.ride.get(path).status == 200)
      #expect(try there.get("/v1/policy").json["theme"]?["logo"] == .string(logo.url))
      #expect(try there.get("/t/messai" + path).status == 404)
    }
  }

  @Test("a host belongs to one tenant; an invalid name and the shared host belong to none")
  func unique() async throws {
    try await ThreeApps.run { apps in
      try await own(apps)
      let shared = String(apps.server.url.dropFirst("http://".count))
      for name in [host, "AUTH.DDRide.example:443", "auth..example.com", "localhost", shared] {
        await #expect(throws: OperatorError.self, "\(name)") {
          try await add(name, to: "messai", apps)
        }
      }
      for act in [
        { try await remove(host, from: "messai", apps) },
        { try await verify(host, of: "messai", by: OwnHostProbe(server: apps.server), apps) },
      ] as [() async throws -> Void] {
        await #expect(throws: OperatorError.self) { try await act() }
      }
    }
  }

  @Test("another server hears of a host, and of its end, by itself")
  func replica() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let there = NamedClient(server: other.server, host: host)
        try await own(one)
        let heard = try await eventually { try there.get("/v1/policy").status == 200 }
        #expect(heard)
        try await remove(host, one)
        let gone = try await eventually { try there.get("/v1/policy").status == 404 }
        #expect(gone)
        // The issuer is the shared one again.
        let up = try await other.signUp(.ride).json
        #expect(try Token.claims(of: up.accessToken)["iss"] == .string(one.server.url + "/t/dd-ride"))
      }
    }
  }
}
