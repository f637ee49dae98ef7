import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("passkeys: in a policy file")
struct PasskeysFileTests {
  private static let base = ReadingTests.base
  static let fingerprint = [String](repeating: "0A", count: 32).joined(separator: ":")
  /// As a scalar in double quotes; the certificate is cut short.
  static let root = #""-----BEGIN CERTIFICATE-----\nMIICljCCAX6gAwIBAgIJ\n-----END CERTIFICATE-----""#

  private func passkeys(_ text: String) throws -> Passkeys {
    try #require(try read(Self.base + "passkeys: \(text)\n").policy.passkeys)
  }

  @Test("a file that is silent has no passkeys, and stored revisions are silent")
  func silent() throws {
    let stored = try PolicyFile.read(Self.base, name: "acme revision 1", as: .stored(.first)).get().policy
    #expect(try read(Self.base).policy.passkeys == nil && stored.passkeys == nil)
  }

  @Test("the least section has the defaults of a silent one")
  func least() throws {
    let line = Self.base.split(separator: "\n").count + 1
    let expected = Passkeys(use: [.signIn], position: SourcePosition(line: line, column: 1))
    #expect(try passkeys("{use: [sign_in]}") == expected)
  }

  @Test("places, the relying party, origins and apps are read")
  func places() throws {
    let found = try passkeys(
      """
      {use: [sign_in], rp_id: acme.example, origins: ["https://app.acme.example", "https://acme.test:8443"],
        apps: {apple: [TEAM123456.com.acme.app], android: [{package: com.acme.app, sha256: ["\(Self.fingerprint)"]}]}}
      """)
    #expect(found.rpID == "acme.example" && found.origins == ["https://app.acme.example", "https://acme.test:8443"])
    #expect(found.apple == ["TEAM123456.com.acme.app"])
    #expect(found.android == [.init(package: "com.acme.app", fingerprints: [Self.fingerprint])])
  }

  @Test("demands on authenticators are read")
  func demands() throws {
    let found = try passkeys(
      """
      {use: [sign_in], user_verification: preferred, attestation: direct, roots: [\(Self.root)],
        aaguids: [08987058-cadc-4b81-b6e1-30de50dcbe96], synced: false, counter: refuse}
      """)
    #expect(found.verification == .preferred && found.attestation == .direct)
    #expect(found.aaguids == ["08987058-cadc-4b81-b6e1-30de50dcbe96"])
    #expect(!found.synced && found.counter == .refuse)
  }

  @Test("a certificate has one spelling, as a block or in quotes")
  func roots() throws {
    let block = """

        use: [sign_in]
        attestation: direct
        roots:
          - |
            -----BEGIN CERTIFICATE-----
            MIICljCCAX6gAwIBAgIJ
            -----END CERTIFICATE-----

      """
    let quoted = try passkeys("{use: [sign_in], attestation: direct, roots: [\(Self.root)]}")
    #expect(try passkeys(block).roots == quoted.roots)
    #expect(quoted.roots == ["-----BEGIN CERTIFICATE-----\nMIICljCCAX6gAwIBAgIJ\n-----END CERTIFICATE-----"])
  }

  @Test("uses in another order mean the same")
  func order() throws {
    func file(_ use: String) throws -> PolicyFile {
      try read(Self.base + "mfa: {factors: [passkey]}\npasskeys: {use: [\(use)]}\n")
    }
    let (there, back) = (try file("sign_in, second_factor"), try file("second_factor, sign_in"))
    #expect(there.policy.canonicalJSON == back.policy.canonicalJSON && PolicyFile.diff(there, back).isEmpty)
  }

  private static func direct(_ rest: String) -> String { "{use: [sign_in], attestation: direct, \(rest)}" }

  @Test(
    "what the section can not mean is refused, with what is needed",
    arguments: [
      ("{}", "\"use\" is missing in passkeys"), ("{use: []}", "expected 1 to 3 members"),
      ("{use: [login]}", "one of sign_in, second_factor, sign_up"), ("{use: [sign_in], usr: x}", "unknown key \"usr\""),
      ("{use: [sign_in], user_verification: discouraged}", "one of required, preferred"),
      ("{use: [sign_in], attestation: indirect}", "one of none, direct"),
      ("{use: [sign_in], counter: ignore}", "one of report, refuse"), ("{use: [sign_in], synced: yes}", "P0117"),
      (direct("synced: false"), "\"roots\" is missing in passkeys with attestation: direct"),
      ("{use: [sign_in], roots: [\(root)]}", "\"roots\" has no meaning in passkeys without attestation: direct"),
      (
        "{use: [sign_in], aaguids: [08987058-cadc-4b81-b6e1-30de50dcbe96]}",
        "\"aaguids\" has no meaning in passkeys without attestation: direct"
      ),
      (direct("roots: []"), "expected 1 to 8 members"), (direct("roots: [\(root), \(root)]"), "is listed twice"),
      (direct("roots: [\(root)], aaguids: []"), "expected 1 to 100 members"),
    ])
  func refused(text: String, words: String) {
    let found = findings(Self.base + "passkeys: \(text)\n")
    #expect(found.contains(words), "\(found)")
  }

  @Test("direct without roots is one finding, and so is a mistake beside it")
  func oneMistake() {
    let found = findings(Self.base + "passkeys: {use: [sign_in], attestation: direct, roots: nonsense}\n")
    #expect(!found.contains("is missing"), "\(found)")
    #expect(found.ranges(of: "error[").count == 1, "\(found)")
  }

  @Test("roots and models without direct are one finding")
  func unattested() {
    let model = "08987058-cadc-4b81-b6e1-30de50dcbe96"
    let found = findings(Self.base + "passkeys: {use: [sign_in], roots: [\(Self.root)], aaguids: [\(model)]}\n")
    #expect(found.ranges(of: "error[").count == 1 && found.contains("remove roots and aaguids"), "\(found)")
  }

  @Test("a package is one app with all of its certificates")
  func packages() {
    let app = "{package: com.acme.app, sha256: [\"\(Self.fingerprint)\"]}"
    let found = findings(Self.base + "passkeys: {use: [sign_in], apps: {android: [\(app), \(app)]}}\n")
    #expect(found.contains("\"com.acme.app\" is listed twice") && found.contains("takes several certificates"))
    let other = app.replacing("acme", with: "other")
    #expect(findings(Self.base + "passkeys: {use: [sign_in], apps: {android: [\(app), \(other)]}}\n").isEmpty)
  }

  @Test(
    "related origins are those of five sites at most",
    arguments: [
      (["a.one.test", "b.one.test", "two.test", "three.test", "four.test", "five.test"], true),
      (["one.test", "two.test", "three.test", "four.test", "five.test", "six.test"], false),
    ])
  func sites(hosts: [String], isTaken: Bool) {
    let origins = hosts.map { "\"https://\($0)\"" }.joined(separator: ", ")
    let found = findings(Self.base + "passkeys: {use: [sign_in], rp_id: one.test, origins: [\(origins)]}\n")
    #expect(found.contains("expected 5 sites at most, got 6") != isTaken && found.isEmpty == isTaken, "\(found)")
  }

  @Test(
    "second factors and passkeys name the same credentials",
    arguments: [
      ("mfa: {factors: [passkey]}\n", "write passkeys: {use: [second_factor]}"),
      ("mfa: {factors: [passkey]}\npasskeys: {use: [sign_in]}\n", "add second_factor to passkeys.use"),
      ("passkeys: {use: [second_factor]}\n", "write mfa: {factors: [passkey]}, or remove second_factor"),
      ("mfa: {factors: [totp]}\npasskeys: {use: [sign_in, second_factor]}\n", "add passkey to mfa.factors"),
    ])
  func disagreeing(text: String, words: String) {
    let found = findings(Self.base + text)
    #expect(found.contains("P0228") && found.contains(words), "\(found)")
  }

  @Test(
    "a way to sign in needs no second factors, and a second factor both sections",
    arguments: [
      "passkeys: {use: [sign_in]}\n", "mfa: {factors: [totp]}\npasskeys: {use: [sign_in]}\n",
      "mfa: {factors: [totp, passkey]}\npasskeys: {use: [second_factor]}\n",
    ])
  func agreeing(text: String) { #expect(findings(Self.base + text) == "") }

  @Test("a misspelt section is not told as one that is missing")
  func misspelt() {
    let found = findings(Self.base + "mfa: {factors: [passkey]}\nwebauthn: {use: [second_factor]}\n")
    #expect(found.contains("unknown key \"webauthn\"") && !found.contains("P0228"), "\(found)")
  }

  @Test("no profile field has the name with which the refusals of passkeys begin")
  func fieldName() {
    let found = findings(Self.base + "profile: {fields: {passkeys: {type: string}}}\n")
    #expect(found.contains("P0225") && found.contains("refusals of passkeys begin so"), "\(found)")
  }

  @Test("no test of the file sees a passkey, so nothing of the section is changed by policy test --mutate")
  func mutants() throws {
    let file = try read(Self.base + "passkeys: {use: [sign_in], counter: refuse}\n")
    let results = PolicyTests.mutate(file, using: SmallLists())
    #expect(results.allSatisfy { $0.mutant.section != "passkeys" })
    #expect(MutationScope(file, results).unseen.contains("passkeys"))
  }
}
