import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The built executable serving the tenant `vibes`, and every peer that it calls: a webhook's receiver, an identity
/// provider and a mail server, each a program of its own on loopback.
struct ServedWorld {
  let server: RunningBinary
  let app: ServedApp
  let hook: HTTPSPeer
  let provider: IdentityProviderPeer
  let mail: MailSink
  let policy: String
  /// Vouches for apps of the tenant `attested`.
  let root: TestAttestationRoot
  /// A token for everything.
  let token: String

  static let client = "vibes-id"
  static let secret = "client-s3cret"
  static let appCallback = "vibes://spotify-callback"

  static func run(_ body: (ServedWorld) async throws -> Void) async throws {
    let (hook, provider, mail) = (
      try await HTTPSPeer.start(), try await IdentityProviderPeer.start(), try await MailSink.start()
    )
    try await provider.register(client, secret: secret, redirectURIs: [appCallback])
    let authorities = try TestFolder.make("authorities", forEverybody: true) + "/all.pem"
    let certificates = [try #require(hook.certificate), provider.certificate]
    try certificates.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
      .write(toFile: authorities, atomically: true, encoding: .utf8)
    let policy = text(provider)
    let root = try TestAttestationRoot(now: Date())
    let environment = [
      "GATEHOUSE_SMTP_URL": mail.url, "GATEHOUSE_OUTBOUND_AUTHORITIES": authorities,
      "GATEHOUSE_ATTEST_APPLE_ROOT": try root.file(),
    ]
    let policies = ["vibes": policy, "attested": AttestRootTests.policy]
    try await ServedApp.run(policies: policies, environment: environment) { server, _, app in
      let world = ServedWorld(
        server: server, app: app, hook: hook, provider: provider, mail: mail, policy: policy, root: root,
        token: try app.adminToken("owner", "--scope", "all", "--all-tenants"))
      // Of each provider, for they are at different addresses.
      for name in ["client", "linked"] {
        let kept = try await world.admin.send(
          "PUT", "/admin/v1/tenants/vibes/secrets/\(name)", #"{"value":"\#(secret)"}"#, token: world.token)
        try #require(kept.status == 204, "\(kept.text)")
      }
      try await body(world)
    }
  }

  var admin: TestClient { TestClient(app.admin) }
  var users: TestClient { client("vibes") }

  func client(_ tenant: String) -> TestClient { TestClient(app.url + "/t/\(tenant)") }

  /// Whether the process that was started still serves.
  func serves() async throws -> Bool {
    guard server.isRunning else { return false }
    return try await TestClient(app.operations).get("/healthz").status == 200
  }

  private static func text(_ provider: IdentityProviderPeer) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: vibes
    app: {name: vibes, support_email: help@vibes.example, locales: [en], continue: ["https://app.vibes.example/back"]}
    identifiers:
      sign_in_with: [email]
      email: {normalize: lowercase}
    password:
      max_length: 128
      rules:
        - {id: min8, min_length: 8}
    profile:
      unknown_fields: reject
      fields:
        username: {type: string, required: true, min_length: 3, max_length: 30, write: user, visible_to: users}
        role: {type: enum, values: [admin, member], default: member, write: admin}
    accounts: {undo_deletion: 14d}
    mfa: {factors: [totp, passkey], remember_device: 30d}
    passkeys: {use: [sign_in, second_factor, sign_up]}
    verification:
      email: {method: link_and_code, link_ttl: 24h, code_ttl: 10m, resend_cooldown: 0s, max_sends_per_day: 10}
    providers:
      password: {use: sign_in}
      google:
        use: sign_in
        client_id: \(client)
        client_secret: {secret: client}
        audiences: [\(client)]
        existing_email: link_if_both_verified
        endpoints: \(provider.openIDEndpoints)
      spotify:
        use: link
        flow: code_pkce
        client_id: \(client)
        client_secret: {secret: linked}
        redirect_uris: ["\(appCallback)"]
        scopes: [user-read-email]
        tokens: {store: encrypted, hand_out: access_token_only}
        endpoints: \(provider.spotifyEndpoints)
    sessions: {access_token_ttl: 15m, refresh_idle_ttl: 90d, refresh_max_ttl: 365d, reuse_grace: 30s, max_per_user: 20}
    privacy: {account_exists: reveal}
    admins: {when: {role: admin}, may: [list_users, update_profile]}
    limits: {sign_in_per_ip: 1000/1h, sign_up_per_ip: 1000/1h}
    """
  }
}
