import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Documents at a tenant's own host that associate apps and sites with its passkeys")
struct AssociationTests {
  private static let host = "auth.ddride.example"
  private static let fingerprint = [String](repeating: "0A", count: 32).joined(separator: ":")
  private static let apple = "/.well-known/apple-app-site-association"
  private static let android = "/.well-known/assetlinks.json"
  private static let origins = "/.well-known/webauthn"
  private static let endpoints = "/.well-known/passkey-endpoints"
  private static let all = [apple, android, origins, endpoints]

  /// The policy of DD Ride with passkeys of these apps.
  private static func policy(_ app: String, _ text: String) -> String {
    PolicyText.with(mfa: nil, text) + """

      passkeys:
        use: [sign_in]
        origins: ["https://ddride.test"]
        apps: {apple: [\(app)], android: [{package: com.example.ddride, sha256: ["\(fingerprint)"]}]}

      """
  }

  /// A server at which DD Ride has passkeys and, as other apps have, a host of its own.
  private static func run(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(
      policy: { app, text in app == .ride ? policy("TEAM123456.com.example.DDRide", text) : text },
      { apps in
        try await own(host, "dd-ride", apps)
        try await body(apps)
      })
  }

  private static func own(_ host: String, _ tenant: String, _ apps: ThreeApps) async throws {
    _ = try await AddHost.run(.init(tenant: tenant, host: host), apps.asOperator)
    try await apps.reload()
    _ = try await VerifyHost.run(.init(tenant: tenant, host: host), apps.asOperator)
    try await apps.reload()
  }

  private static func get(
    _ path: String, at host: String = host, by method: String = "GET", _ apps: ThreeApps
  ) async throws -> TestClient.Answer {
    try await TestClient(apps.server.url).send(method, path, headers: ["Host": host])
  }

  @Test("the host answers from the policy")
  func answers() async throws {
    try await Self.run { apps async throws in
      let page = "http://\(Self.host)/ui/account/factors"
      let expected = [
        Self.apple: #"{"webcredentials":{"apps":["TEAM123456.com.example.DDRide"]}}"#,
        Self.android: #"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"#
          + #""android_app","package_name":"com.example.ddride","sha256_cert_fingerprints":["\#(Self.fingerprint)"]}}]"#,
        Self.origins: #"{"origins":["https://ddride.test","http://\#(Self.host)"]}"#,
        Self.endpoints: #"{"enroll":"\#(page)","manage":"\#(page)"}"#,
      ]
      for path in Self.all { #expect(try await Self.get(path, apps).text == expected[path], "\(path)") }
    }
  }

  @Test("the answer is JSON that caches keep, without a redirect, and HEAD has its fields")
  func fields() async throws {
    try await Self.run { apps in
      for path in Self.all {
        for method in ["GET", "HEAD"] {
          let answer = try await Self.get(path, by: method, apps)
          #expect(answer.status == 200 && answer.headers["content-type"] == "application/json", "\(method) \(path)")
          #expect(answer.headers["cache-control"] == "public, max-age=300", "\(method) \(path)")
          #expect(answer.body.isEmpty == (method == "HEAD"), "\(method) \(path)")
        }
        let posted = try await Self.get(path, by: "POST", apps)
        #expect(posted.status == 405 && posted.headers["allow"] == "GET, HEAD, OPTIONS", "\(path)")
      }
    }
  }

  @Test("the shared host has none, at its root and below the tenant")
  func shared() async throws {
    try await Self.run { apps async throws in
      for path in Self.all {
        for path in [path, "/t/dd-ride" + path] {
          #expect(try await TestClient(apps.server.url).get(path).code == "not_found", "\(path)")
        }
      }
    }
  }

  @Test("a host of a tenant without passkeys has none")
  func without() async throws {
    try await ThreeApps.run { apps in
      try await Self.own("auth.vibes.example", "vibes", apps)
      for path in Self.all {
        #expect(try await Self.get(path, at: "auth.vibes.example", apps).code == "not_found", "\(path)")
      }
    }
  }

  @Test("a host that is not verified has none")
  func waiting() async throws {
    try await Self.run { apps in
      let other = "login.ddride.example"
      _ = try await AddHost.run(.init(tenant: "dd-ride", host: other), apps.asOperator)
      try await apps.reload()
      for path in Self.all { #expect(try await Self.get(path, at: other, apps).code == "not_found", "\(path)") }
      let origins = try await Self.get(Self.origins, apps).json["origins"]?.array
      #expect(origins == [.string("https://ddride.test"), .string("http://\(Self.host)")])
    }
  }

  @Test("a host with a port leads to the page at that port")
  func port() async throws {
    try await Self.run { apps in
      let other = "login.ddride.example:8443"
      try await Self.own(other, "dd-ride", apps)
      let enroll = try await Self.get(Self.endpoints, at: other, apps).json["enroll"]
      #expect(enroll == .string("http://\(other)/ui/account/factors"))
      let origins = try await Self.get(Self.origins, at: other, apps).json["origins"]?.array
      #expect(origins?.contains(.string("http://\(other)")) == true)
    }
  }

  @Test("a disabled tenant has none")
  func disabled() async throws {
    try await Self.run { apps in
      _ = try await SetTenant.run(.init(tenant: "dd-ride", enabled: false), apps.asOperator)
      try await apps.reload()
      for path in Self.all { #expect(try await Self.get(path, apps).code == "tenant_disabled", "\(path)") }
    }
  }

  @Test("an edit of the policy is seen by the next request")
  func edited() async throws {
    try await Self.run { apps in
      #expect(try await Self.get(Self.apple, apps).text.contains("com.example.DDRide"))
      let text = try TestLists.policy("dd-ride")
      _ = try await apps.server.apply(
        Self.policy("TEAM123456.com.example.Later", text), to: "dd-ride", allowsWeaker: true)
      try await apps.reload()
      let later = try await Self.get(Self.apple, apps).text
      #expect(later == #"{"webcredentials":{"apps":["TEAM123456.com.example.Later"]}}"#)
      _ = try await apps.server.apply(PolicyText.with(mfa: nil, text), to: "dd-ride", allowsWeaker: true)
      try await apps.reload()
      for path in Self.all { #expect(try await Self.get(path, apps).code == "not_found", "\(path)") }
    }
  }
}
