import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

@Suite("Whom a policy trusts")
struct TrustTests {
  private static let root = #"-----BEGIN CERTIFICATE-----\nMIICljCCAX6gAwIBAgIJ\n-----END CERTIFICATE-----"#
  private static let fingerprint = [String](repeating: "0A", count: 32).joined(separator: ":")

  /// A policy in which every key of the language may stand.
  static let base = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {rules: [{id: min8, min_length: 8}, {id: listed, not_in: common}]}
    profile:
      unknown_fields: reject
      fields:
        nick: {type: string, visible_to: users, unique: true}
        username: {type: string, visible_to: users, unique: true}
        size: {type: integer}
        kind: {type: enum, values: [a, b]}
        home: {type: url}
        born: {type: date}
        phone: {type: phone, region: US, store: e164}
        role: {type: string, write: admin}
    verification: {email: {method: link_and_code}}
    access: {full: {requires: [{need: email_verified, enforce: warn}]}}
    providers:
      password: {use: sign_in}
      google: {use: sign_in, audiences: [a.example]}
      spotify:
        use: link
        flow: code_pkce
        client_id: c
        redirect_uris: ["https://auth.acme.example/cb"]
        scopes: [one, two]
        tokens: {store: encrypted, hand_out: access_token_only}
      own:
        use: sign_in
        flow: code_pkce
        client_id: c
        redirect_uris: ["https://auth.acme.example/cb"]
        scopes: [openid]
        endpoints: {authorization: "https://own.example/a", token: "https://own.example/t", userinfo: "https://own.example/u"}
      company:
        use: sign_in
        flow: code_pkce
        client_id: c
        redirect_uris: ["https://auth.acme.example/cb"]
        scopes: [openid]
        endpoints: {issuer: "https://company.example"}
    directory: {find_by: [prefix], prefix_of: [nick]}
    mfa: {factors: [totp, passkey], required_if: [{id: all, when: {role: x}, enforce: warn}]}
    passkeys:
      use: [sign_in, second_factor]
      rp_id: acme.example
      rp_id_from: {id: old.example, until: 2030-01-01}
      upgrade: {from: 2029-01-01, when: {role: x}}
      attestation: direct
      roots: ["\(root)"]
      aaguids: [08987058-cadc-4b81-b6e1-30de50dcbe96]
      apps: {android: [{package: com.acme.app, sha256: ["\(fingerprint)"]}]}
    admins: {when: {role: admin}, may: [list_users]}
    attest: {ios: {team: "0123456789", bundle: com.acme.app, environment: production}, doors: [sign_up]}
    exceptions: [{email: a@acme.example, rule: password.min8, until: 2030-01-01, reason: x}]

    """

  static let walked = Result { try KeyWalk(base) }

  private func diff(_ old: String, _ new: String) throws -> [PolicyChange] {
    PolicyFile.diff(try read(old), try read(new))
  }

  @Test("T173 these keys of the language are trust, and no other")
  func keys() {
    let trust = KeyWalk.keys.filter(\.isTrust).map(\.word).filter { !$0.hasPrefix("attest") }
    let app = ["base_url", "audience", "bundle_ids", "origins", "continue", "open_app"].map { "app.\($0)" }
    let provider = ProviderKeys.provider.keys.map(\.name).filter { $0 != "prompt_for" }.map { "providers.*.\($0)" }
    let tokens = ["store", "hand_out", "keep_warm"].map { "providers.*.tokens.\($0)" }
    let endpoints = ["issuer", "authorization", "token", "userinfo", "jwks", "revocation"].map {
      "providers.*.endpoints.\($0)"
    }
    let passkeys = ["rp_id", "rp_id_from", "rp_id_from.id", "rp_id_from.until", "origins", "roots", "apps"].map {
      "passkeys.\($0)"
    }
    let apps = ["apple", "android", "android.*.package", "android.*.sha256"].map { "passkeys.apps.\($0)" }
    #expect(Set(trust) == Set(app + provider + tokens + endpoints + passkeys + apps))
  }

  @Test("T173 all of attest is trust")
  func attested() {
    #expect(KeyWalk.keys.filter { $0.word.hasPrefix("attest") }.allSatisfy { $0.isTrust })
  }

  @Test("T173 a change of any key of the language is marked exactly where the key says that it is trust")
  func walk() throws {
    let walk = try Self.walked.get()
    #expect(walk.wrong == [], "marked, or not, against what the key says")
  }

  @Test("T173 every key that is trust is changed in that walk, and most others")
  func whole() throws {
    let changed = try Self.walked.get().changed
    // A map is changed by its keys.
    let trust = Set(KeyWalk.keys.filter { $0.isTrust && !$0.isMap }.map(\.word))
    #expect(trust.subtracting(changed) == [] && changed.count > 100)
  }

  @Test(
    "T173 a stricter change of trust is marked like a weaker one",
    arguments: [
      (#"{name: Acme, continue: ["https://a.example/in"]}"#, "{name: Acme}"),
      ("{name: Acme}", #"{name: Acme, continue: ["https://a.example/in"]}"#),
    ])
  func directions(_ old: String, _ new: String) throws {
    func text(_ app: String) -> String { ReadingTests.base.replacing("{name: Acme}", with: app) }
    #expect(try diff(text(old), text(new)).map(\.isTrust) == [true])
  }

  @Test("T173 a provider that comes is one marked line")
  func provider() throws {
    let new = Self.base.replacing(
      "  google:",
      with: """
          evil: {use: sign_in, flow: id_token, audiences: [x], existing_email: link_if_both_verified,
            endpoints: {issuer: "https://evil.example", jwks: "https://evil.example/jwks"}}
          google:
        """)
    let changes = try diff(Self.base, new)
    #expect(changes.map(\.subject) == ["providers.evil"] && changes.allSatisfy { $0.isTrust })
  }

  @Test("T173 an address that leads elsewhere is named with both hosts")
  func address() throws {
    let changes = try diff(Self.base, Self.base.replacing("https://own.example/t", with: "https://evil.example/t"))
    #expect(
      changes.map(\.sentence) == ["providers.own.endpoints.token: https://own.example/t → https://evil.example/t"])
  }

  @Test("T173 fields asked for after a sign-in are no trust")
  func prompts() throws {
    let new = Self.base.replacing("audiences: [a.example]", with: "audiences: [a.example], prompt_for: [nick]")
    #expect(try diff(Self.base, new).map(\.isTrust) == [false])
  }

  @Test("T173 a difference of trust that no line tells of gets a line")
  func unsaid() throws {
    let file = try read(Self.base)
    let changes = Changes(old: file, new: file)
    changes.markTrust([["providers", "own", "novel"]])
    #expect(changes.found.map(\.subject) == ["providers.own.novel"] && changes.found.allSatisfy { $0.isTrust })
  }

  @Test(
    "T173 a place of the canonical form that the language does not name is trust where its section holds trust",
    arguments: [("providers.own.novel", true), ("app.novel", true), ("profile.fields.nick.implied", false)])
  func unknown(_ path: String, _ isTrust: Bool) {
    #expect(TrustPaths.isTrust(path.split(separator: ".").map(String.init)) == isTrust)
  }
}
