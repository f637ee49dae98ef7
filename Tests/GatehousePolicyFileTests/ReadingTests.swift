import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("Reading a policy file")
struct ReadingTests {
  static let base = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password: {rules: [{id: min8, min_length: 8}]}

    """

  @Test(
    "types follow the schema, never the look of a text",
    arguments: ["yes", "NO", "0777", "1e3", "null", "~", "on", "12"])
  func text(word: String) throws {
    let file = try read(Self.base.replacing("name: Acme", with: "name: \(word)"))
    #expect(file.policy.app.name == word)
  }

  @Test(
    "a number in quotes, in octal, with a sign or a point is not a number",
    arguments: ["\"8\"", "08", "+8", "8.0", "0x8", "8_0", "٨", "-"])
  func notNumber(word: String) {
    let report = findings(Self.base.replacing("min_length: 8", with: "min_length: \(word)"))
    #expect(report.contains("error[P0118]"), "\(report)")
  }

  @Test("the same file as JSON is the same policy")
  func json() throws {
    let json = """
      {"schema": "gatehouse/policy.v1", "tenant": "acme", "app": {"name": "Acme"},
       "password": {"rules": [{"id": "min8", "min_length": 8}]}}
      """
    #expect(try read(json).policy.canonicalJSON == (try read(Self.base)).policy.canonicalJSON)
  }

  @Test("line ends of other systems change nothing")
  func carriageReturns() throws {
    let text = Self.base.replacing("\n", with: "\r\n")
    #expect(try read(text).policy.canonicalJSON == (try read(Self.base)).policy.canonicalJSON)
  }

  @Test("all errors of a file come at once, in the order of the text")
  func allAtOnce() {
    let text = """
      schema: gatehouse/policy.v2
      tenant: Acme
      app: {nmae: Acme}
      password: {rules: [{id: min8, min_length: eight}]}
      sessions: {access_token_ttl: 15}
      verification: {email: {link_ttl: 48h}}
      """
    guard case .failure(let refusal) = PolicyFile.read(text, name: "x") else {
      Issue.record("accepted")
      return
    }
    #expect(
      refusal.diagnostics.map(\.code.rawValue) == ["P0123", "P0127", "P0107", "P0118", "P0120", "P0211"])
  }

  @Test(
    "T045 links live at most 24 hours and codes at most 10 minutes",
    arguments: [
      ("link_ttl: 24h", true), ("link_ttl: 1441m", false), ("code_ttl: 10m", true), ("code_ttl: 601s", false),
    ])
  func ceilings(setting: String, accepted: Bool) {
    let report = findings(Self.base + "verification: {email: {\(setting)}}\n")
    #expect(report.isEmpty == accepted, "\(report)")
    #expect(accepted || report.contains("error[P0211]"))
  }

  @Test(
    "T073 a field can not take the place of a claim that tokens have",
    arguments: [
      "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "act", "scope", "amr", "acr", "sid", "client_id", "pol", "roles",
      "SUB", "Scope",
    ])
  func reserved(claim: String) {
    #expect(
      findings(Self.base + "profile: {fields: {\(claim): {type: string, claim: true}}}\n").contains("error[P0207]"))
    let unclaimed = findings(Self.base + "profile: {fields: {\(claim): {type: string}}}\n")
    #expect(unclaimed.isEmpty || Field.isReserved(claim) && !unclaimed.contains("P0207"), "\(unclaimed)")
  }

  @Test("a secret in the file is refused and not repeated")
  func secret() {
    let report = findings(Self.base + "providers:\n  google: {use: sign_in, client_id: a, client_secret: hunter2}\n")
    #expect(report.contains("error[P0210]"))
    #expect(!report.contains("hunter2"))
  }

  @Test(
    "T102 endpoints that lead nowhere are refused where they stand, with what they lack",
    arguments: [
      ("own", "authorization: X, token: X", "endpoints of provider \"own\" lack \"userinfo\""),
      ("own", "userinfo: X", "lack \"authorization\", \"token\""), ("own", "issuer: X", nil),
      ("own", "authorization: X, token: X, userinfo: X", nil), ("spotify", "issuer: X", "lack \"authorization\""),
      ("google", "authorization: X, token: X, userinfo: X, jwks: X", "lack \"issuer\""), ("google", "issuer: X", nil),
    ] as [(String, String, String?)])
  func endpoints(name: String, written: String, problem: String?) {
    let addresses = written.replacing("X", with: "\"https://id.example\"")
    let report = findings(
      Self.base + "providers:\n  \(name): {use: sign_in, client_id: a, endpoints: {\(addresses)}}\n")
    #expect(report.isEmpty == (problem == nil), "\(report)")
    guard let problem else { return }
    #expect(report.contains("test.yaml:6:\(name.utf8.count + 34): error[P0115]"), "\(report)")
    #expect(report.contains(problem) && report.contains("= "), "\(report)")
  }

  @Test(
    "tokens are handed out or kept warm only where they are kept",
    arguments: ["hand_out: access_token_only", "keep_warm: true"])
  func tokens(key: String) {
    let provider = Self.base + "providers: {spotify: {use: link, tokens: {\(key)}}}\n"
    #expect(findings(provider).contains("needs tokens.store: encrypted"))
    #expect(findings(provider.replacing("{\(key)}", with: "{store: encrypted, \(key)}")).isEmpty)
  }

  @Test("a rule in its long form has its own stage, doors and text")
  func longForm() throws {
    let file = try read(
      Self.base + """
        identifiers:
          email:
            allowed_domains: {value: [ksu.edu], enforce: warn, enforce_from: 2027-03-01, message: {en: Only K-State}}
            max_length: 100
            existing: require_at_sign_in
        """)
    let rules = file.policy.identifiers.email.rules
    #expect(rules.map(\.id) == ["email.allowed_domains", "email.max_length"])
    #expect(rules[0].enforcement == Enforcement(.warn, from: Day("2027-03-01")))
    #expect(rules[0].message == ["en": "Only K-State"])
    #expect(rules[1].enforcement == .enforced)
    #expect(file.policy.identifiers.email.existing == .requireAtSignIn)
  }

  @Test("rules point at their lines")
  func targets() throws {
    let file = try read(String(decoding: try Repository.bytes("policies/dd-ride.yaml"), as: UTF8.self))
    let lines = file.document.lines
    for rule in file.policy.password.rules {
      let line = lines[rule.position.line - 1]
      #expect(line.contains(rule.id.dropFirst("password.".count)), "\(rule.id) \(line)")
    }
    let role = try #require(file.policy.profile.field("role"))
    #expect(file.document.line(role.position.line).contains("role:"))
  }

  @Test("every code has words, a number of its own and stands in the catalogue once")
  func catalogue() {
    #expect(Set(DiagnosticCode.allCases.map(\.rawValue)).count == DiagnosticCode.allCases.count)
    for code in DiagnosticCode.allCases {
      #expect(!code.title.isEmpty && code.explanation.count > 20)
      #expect(code.rawValue.utf8.count == 5 && code.rawValue.hasPrefix("P0"))
    }
  }

  @Test("a finding as a value has the names and places of the text")
  func record() throws {
    guard case .failure(let refusal) = PolicyFile.read(Self.base + "pasword: {}\n", name: "x.yaml") else {
      Issue.record("accepted")
      return
    }
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(refusal.records)) as? [[String: Any]]
    let first = try #require(object?.first)
    #expect(first["code"] as? String == "P0107")
    #expect(first["line"] as? Int == 5)
    #expect(first["end_column"] as? Int == 8)
    #expect((first["notes"] as? [String])?.first == "did you mean \"password\"?")
  }

  @Test(
    "a nonce belongs to a provider whose ID tokens an app hands over",
    arguments: [
      ("google: {use: sign_in, client_id: a, nonce: optional}", true),
      ("acme: {use: sign_in, client_id: a, nonce: required, endpoints: {issuer: \"https://id.acme.example\"}}", true),
      ("spotify: {use: link, client_id: a, nonce: optional}", false),
      ("github: {use: sign_in, client_id: a, nonce: optional}", false),
      ("password: {use: sign_in, nonce: optional}", false),
      (
        "google: {use: sign_in, flow: code_pkce, client_id: a, redirect_uris: [\"https://a.example/b\"], nonce: optional}",
        false
      ),
    ])
  func nonce(provider: String, isTaken: Bool) throws {
    let report = findings(Self.base + "providers:\n  \(provider)\n")
    #expect(report.contains("\"nonce\" has no meaning for") != isTaken, "\(report)")
    #expect(report.isEmpty == isTaken, "\(report)")
  }

  @Test(
    "T193 a new sign-in is asked for at OpenID providers of the policy's own that sign in",
    arguments: [
      (
        "acme: {use: sign_in, client_id: a, require_auth_time: true, endpoints: {issuer: \"https://id.example\"}}", true
      ),
      (
        "google: {use: sign_in, client_id: a, require_auth_time: true, endpoints: {issuer: \"https://id.example\"}}",
        true
      ),
      ("google: {use: sign_in, client_id: a, require_auth_time: true}", false),
      ("apple: {use: sign_in, client_id: a, require_auth_time: false}", false),
      ("acme: {use: link, client_id: a, require_auth_time: true, endpoints: {issuer: \"https://id.example\"}}", false),
      ("github: {use: sign_in, client_id: a, require_auth_time: true}", false),
      ("password: {use: sign_in, require_auth_time: true}", false),
    ])
  func authTime(provider: String, isTaken: Bool) throws {
    let report = findings(Self.base + "providers:\n  \(provider)\n")
    #expect(report.contains("\"require_auth_time\" has no meaning for") != isTaken, "\(report)")
    #expect(report.isEmpty == isTaken, "\(report)")
  }

  @Test("the JSON Schema is JSON, closed, and knows every key of the three files")
  func schema() throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(PolicyFile.schema())) as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["additionalProperties"] as? Bool == false)
    let properties = try #require(schema["properties"] as? [String: Any])
    for path in PoliciesTests.paths {
      let document = Document.parse(try Repository.bytes(path), name: path)
      for entry in document.root?.map ?? [] { #expect(properties[entry.key] != nil, "\(entry.key)") }
    }
    #expect(properties["mfa"] != nil)
    let identifiers = try #require((properties["identifiers"] as? [String: Any])?["properties"] as? [String: Any])
    #expect(identifiers["email"] != nil && identifiers["phone"] == nil)
  }
}
