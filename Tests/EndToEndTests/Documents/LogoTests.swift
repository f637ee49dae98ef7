import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("A tenant's logo")
struct LogoTests {
  static let shipped = ["messai", "dd-ride", "vibes"]

  static func file(_ tenant: String) throws -> [UInt8] {
    let url = URL(fileURLWithPath: TestLists.root + "/policies/logos/\(tenant).svg")
    return Array(try Data(contentsOf: url))
  }

  @discardableResult
  private func set(
    _ content: [UInt8], of tenant: String = "dd-ride", for use: String? = nil, _ apps: ThreeApps
  ) async throws -> LogoSummary {
    let logo = try await SetLogo.run(
      .init(tenant: tenant, use: use, base64url: Base64URL.encode(content), file: "logo.svg"), apps.asOperator)
    try await apps.reload()
    return logo
  }

  private func remove(_ apps: ThreeApps) async throws {
    _ = try await RemoveLogo.run(.init(tenant: "dd-ride"), apps.asOperator)
    try await apps.reload()
  }

  /// The address of the picture in a page, as a browser resolves it; nil where there is none.
  private func source(_ page: TestClient.Answer, at path: String) -> String? {
    guard let start = page.text.range(of: #"<img class="logo" src=""#)?.upperBound else { return nil }
    let address = String(page.text[start...].prefix { $0 != "\"" })
    return URL(string: address, relativeTo: URL(string: "http://server" + path))?.absoluteURL.path
  }

  @Test("the shipped logos are taken, are small and differ", arguments: shipped)
  func small(_ tenant: String) throws {
    let content = try Self.file(tenant)
    #expect(try PictureCheck.kind(of: content) == .svg)
    #expect(content.count < 2048)
  }

  @Test("every page shows the logo that was set, at whatever depth it is, and its letter where there is none")
  func pages() async throws {
    try await ThreeApps.run { apps in
      let paths = [
        "/ui/verify-email", "/ui/nowhere", "/ui/account/some/where", "/v1/sign-in/google/callback",
        "/ui/assets/none.svg",
      ]
      for path in paths {
        let page = try await apps.ride.get(path)
        #expect(source(page, at: path) == nil && page.text.contains(#"<span class="mark" aria-hidden="true">D</span>"#))
      }
      let logo = try await set(Self.file("dd-ride"), apps)
      let served = try #require(URL(string: logo.url)?.path)
      for path in paths {
        let page = try await apps.ride.get(path)
        #expect(source(page, at: "/t/dd-ride" + path) == served, "\(path)")
        #expect(!page.text.contains("class=\"mark\"") && page.text.contains("<link rel=\"icon\" href=\"../"))
        #expect(page.headers["content-security-policy"]?.contains("img-src 'self';") == true)
      }
      #expect(source(try await apps.messai.get("/ui/nowhere"), at: "/t/messai/ui/nowhere") == nil)
      try await remove(apps)
      #expect(source(try await apps.ride.get("/ui/nowhere"), at: "/t/dd-ride/ui/nowhere") == nil)
    }
  }

  @Test("T170 it is served as it was set, for good, sandboxed, to GET and HEAD")
  func served() async throws {
    try await ThreeApps.run { apps in
      let content = try Self.file("vibes")
      let logo = try await set(content, of: "vibes", apps)
      #expect(logo.size == content.count && logo.sha256 == Hex.encode(SHA256.digest(content)))
      #expect(logo.url.hasPrefix(apps.server.url + "/t/vibes/ui/assets/logo.") && logo.url.hasSuffix(".svg"))
      let path = String(logo.url.dropFirst((apps.server.url + "/t/vibes").count))
      for _ in 0..<2 {
        let answer = try await apps.vibes.get(path)
        #expect(answer.status == 200 && answer.body == content)
        #expect(answer.headers["content-type"] == "image/svg+xml")
        #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable")
        #expect(
          answer.headers["content-security-policy"] == "sandbox; default-src 'none'; style-src 'unsafe-inline'")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
        #expect(answer.headers["set-cookie"] == nil)
      }
      let head = try await apps.vibes.send("HEAD", path)
      #expect(head.status == 200 && head.body.isEmpty && head.headers["content-type"] == "image/svg+xml")
      let posted = try await apps.vibes.post(path)
      #expect(posted.status == 405 && posted.headers["allow"] == "GET, HEAD")
    }
  }

  @Test("an older hash, another tenant's, another end of the name and none are pages that say so")
  func gone() async throws {
    try await ThreeApps.run { apps in
      let older = try await set(Self.file("vibes"), apps)
      let others = try await set(Self.file("messai"), of: "messai", apps)
      let present = try await set(Self.file("dd-ride"), apps)
      func file(_ logo: LogoSummary) -> String { String(logo.url.split(separator: "/").last ?? "") }
      #expect(try await apps.ride.get("/ui/assets/\(file(present))").status == 200)
      for name in [
        file(older), file(others), file(present).replacing(".svg", with: ".png"), file(present) + "x", "logo.svg", "x",
      ] {
        let answer = try await apps.ride.get("/ui/assets/\(name)")
        #expect(answer.status == 404 && answer.headers["content-type"] == "text/html; charset=utf-8", "\(name)")
        #expect(answer.headers["cache-control"] == "no-store")
      }
      try await remove(apps)
      #expect(try await apps.ride.get("/ui/assets/\(file(present))").status == 404)
      #expect(try await apps.messai.get("/ui/assets/\(file(others))").status == 200)
    }
  }

  @Test("a picture costs a query for each loop, however often it is asked for and in how many languages")
  func queries() async throws {
    try await ThreeApps.run { apps in
      let path = try await String(
        set(Self.file("vibes"), of: "vibes", apps).url.dropFirst((apps.server.url + "/t/vibes").count))
      let before = apps.server.database.statistics.statements
      for number in 0..<60 {
        let headers = number % 2 == 0 ? [:] : ["Accept-Language": "x-\(number)", "Origin": "https://elsewhere.example"]
        #expect(try await apps.vibes.send("GET", path, headers: headers).status == 200)
      }
      #expect(apps.server.database.statistics.statements - before <= 10)
    }
  }

  @Test("the public policy names the address, and forgets it with the logo")
  func policy() async throws {
    try await ThreeApps.run { apps in
      func named() async throws -> JSONValue? { try await apps.ride.get("/v1/policy").json["theme"]?["logo"] }
      #expect(try await named() == nil)
      let logo = try await set(Self.file("dd-ride"), apps)
      #expect(try await named() == .string(logo.url))
      let other = try await set(Self.file("vibes"), apps)
      #expect(try await named() == .string(other.url) && other.url != logo.url)
      try await remove(apps)
      #expect(try await named() == nil)
    }
  }

  @Test("T170 what is no picture that may be shown is refused with its place, and the logo before stays")
  func refused() async throws {
    try await ThreeApps.run { apps in
      let logo = try await set(Self.file("dd-ride"), apps)
      let script = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>"#
      let error = await #expect(throws: OperatorError.self) { try await set(Array(script.utf8), apps) }
      #expect(error?.description.hasPrefix("logo.svg is not taken as a logo: line 1, column ") == true)
      #expect(error?.hint == "remove it: a logo runs no code")
      #expect(try await ShowLogo.run(.init(tenant: "dd-ride"), apps.asOperator) == logo)
    }
  }

  @Test("a dry run checks and changes nothing; without a logo there is nothing to show or to remove")
  func dryRun() async throws {
    try await ThreeApps.share { apps in
      let input = SetLogoOperation.Input(
        tenant: "dd-ride", base64url: Base64URL.encode(try Self.file("dd-ride")), dryRun: true)
      #expect(try await SetLogo.run(input, apps.asOperator).mediaType == "image/svg+xml")
      await #expect(throws: OperatorError.self) { try await ShowLogo.run(.init(tenant: "dd-ride"), apps.asOperator) }
      await #expect(throws: OperatorError.self) { try await RemoveLogo.run(.init(tenant: "dd-ride"), apps.asOperator) }
    }
  }

  @Test("a tenant that is disabled serves no logo, and its pages name none")
  func disabled() async throws {
    try await ThreeApps.run { apps in
      let logo = try await set(Self.file("dd-ride"), apps)
      _ = try await SetTenant.run(.init(tenant: "dd-ride", enabled: false), apps.asOperator)
      try await apps.reload()
      let path = String(logo.url.dropFirst((apps.server.url + "/t/dd-ride").count))
      let answer = try await apps.ride.get(path)
      #expect(answer.code == "tenant_disabled" || answer.status == 403)
      #expect(source(try await apps.ride.get("/ui/verify-email"), at: "/t/dd-ride/ui/verify-email") == nil)
    }
  }

  @Test("the logo for dark ground is served beside the logo, and the public policy names both")
  func dark() async throws {
    try await ThreeApps.run { apps in
      let logo = try await set(Self.file("dd-ride"), apps)
      let dark = try await set(Self.file("vibes"), for: "logo_dark", apps)
      let theme = try await apps.ride.get("/v1/policy").json["theme"]
      #expect(theme?["logo"] == .string(logo.url) && theme?["logo_dark"] == .string(dark.url))
      let page = try await apps.ride.get("/ui/nowhere").text
      let name = try #require(dark.url.split(separator: "/").last)
      #expect(page.contains("/\(name)\" media=\"(prefers-color-scheme:dark)\""))
      for picture in [logo, dark] {
        let path = String(picture.url.dropFirst((apps.server.url + "/t/dd-ride").count))
        #expect(try await apps.ride.get(path).status == 200)
      }
    }
  }

  @Test("the button of a provider has words alone, and the mark once it is set for a provider of the policy")
  func provider() async throws {
    try await ThreeApps.run { apps in
      let connect = #"<button type="submit">Continue with Google</button>"#
      let text = try TestLists.policy("messai") + "\n"
      let before = text.replacing("providers:\n", with: "providers:\n  google: {use: sign_in, client_id: abc}\n")
      _ = try await apps.server.apply(PolicyText.withoutTests(before), to: "messai", allowsWeaker: true)
      try await apps.reload()
      #expect(try await apps.messai.get("/ui/sign-in").text.contains(connect))
      let mark = try await set(Self.file("vibes"), of: "messai", for: "provider:google", apps)
      let name = try #require(mark.url.split(separator: "/").last)
      let page = try await apps.messai.get("/ui/sign-in").text
      #expect(
        page.contains("<img src=\"../ui/assets/\(name)\" alt=\"\" width=\"20\" height=\"20\">Continue with Google"))
      #expect(page.contains("class=\"secondary google\""))
      let error = await #expect(throws: OperatorError.self) {
        try await set(Self.file("vibes"), of: "messai", for: "provider:nothing", apps)
      }
      #expect(error?.description == "the policy of messai has no provider \"nothing\"")
    }
  }

  @Test("a word for no picture is refused", arguments: ["", "banner", "provider:", "provider:a b", "Logo"])
  func noUse(_ word: String) async throws {
    try await ThreeApps.share { apps in
      await #expect(throws: Refusal.self) {
        try await ShowLogo.run(.init(tenant: "dd-ride", use: word), apps.asOperator)
      }
    }
  }

  @Test("another server hears of a logo, and of its end, by itself")
  func replica() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        func shown() async throws -> Bool {
          source(try await other.ride.get("/ui/nowhere"), at: "/t/dd-ride/ui/nowhere") != nil
        }
        try await set(Self.file("dd-ride"), one)
        let heard = try await eventually { try await shown() }
        #expect(heard)
        try await remove(one)
        let gone = try await eventually { try await !shown() }
        #expect(gone)
      }
    }
  }
}
