import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("Texts of passkeys: in a policy file")
struct PasskeyFormTests {
  @Test("relying parties are domains of two labels or more", arguments: ["acme.example", "id.acme.co.uk", "a-1.test"])
  func relyingParty(text: String) { #expect(PasskeyForms.relyingParty.holds(text)) }

  @Test(
    "an address, a port, another spelling and a single label are no relying party",
    arguments: [
      "localhost", "acme", "Acme.example", "acme.example:443", "https://acme.example", "*.acme.example", "192.0.2.1",
      "acme..example", ".acme.example", "acme.example.", "bücher.example", "acme_1.example",
    ])
  func noRelyingParty(text: String) { #expect(!PasskeyForms.relyingParty.holds(text)) }

  @Test("origins are written as browsers send them", arguments: ["https://acme.example", "https://app.acme.test:8443"])
  func origin(text: String) { #expect(PasskeyForms.origin.holds(text)) }

  @Test(
    "an origin in another spelling would never be one that a browser sends",
    arguments: [
      "http://acme.example", "https://acme.example/", "https://acme.example:443", "https://Acme.example",
      "HTTPS://acme.example", "https://*.acme.example", "https://localhost", "https://192.0.2.1", "acme.example",
      "https://acme.example?x", "https://user@acme.example", "android:apk-key-hash:x",
    ])
  func noOrigin(text: String) { #expect(!PasskeyForms.origin.holds(text)) }

  @Test("an App ID has a team, a full stop and a bundle")
  func appID() { #expect(PasskeyForms.appID.holds("TEAM123456.com.acme.app")) }

  @Test(
    "a part of an App ID is none",
    arguments: ["TEAM123456", "TEAM123456.", "com.acme.app", "team123456.com.acme.app", "TEAM123456.com..app"])
  func noAppID(text: String) { #expect(!PasskeyForms.appID.holds(text)) }

  @Test("an application id has two parts or more", arguments: ["com.acme", "com.acme.app_2", "com.Acme.app"])
  func package(text: String) { #expect(PasskeyForms.package.holds(text)) }

  @Test(
    "a part of an application id begins with a letter and has letters, digits and _",
    arguments: ["acme", "com..acme", "com.2acme", "com._acme", "com.acme-app", "com.acme.", "com.café"])
  func noPackage(text: String) { #expect(!PasskeyForms.package.holds(text)) }

  @Test("a fingerprint is 32 bytes in capitals with colons")
  func fingerprint() {
    let good = PasskeysFileTests.fingerprint
    #expect(PasskeyForms.fingerprint.holds(good))
    let bad = [
      good.lowercased(), good.replacing(":", with: ""), String(good.dropLast(3)), good.replacing(":", with: "-"),
    ]
    #expect(bad.allSatisfy { !PasskeyForms.fingerprint.holds($0) })
  }

  @Test("a model is a UUID in lower case")
  func model() {
    let good = "08987058-cadc-4b81-b6e1-30de50dcbe96"
    #expect(PasskeyForms.model.holds(good))
    let bad = [good.uppercased(), good.replacing("-", with: ""), "{\(good)}", good.replacing("c", with: "g")]
    #expect(bad.allSatisfy { !PasskeyForms.model.holds($0) })
  }

  private static func pem(_ body: String, _ label: String = "CERTIFICATE") -> String {
    "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
  }

  @Test("a certificate stands between its marks, in one line or several", arguments: ["MIICljCC", "MIIC\nljCC\nAQ=="])
  func certificate(body: String) { #expect(PasskeyForms.certificate.holds(Self.pem(body))) }

  @Test(
    "a text without its marks, of another kind, or of bytes that are no certificate is refused",
    arguments: [
      "MIICljCC", pem("MIICljCC", "PUBLIC KEY"), pem("MIICljC"), pem("MIICljC!"), pem("MI=CljCC"), pem("QUJDREVG"),
      pem("MIICljCC") + pem("MIICljCC"), "x" + pem("MIICljCC"), pem("MIICljCC\n"), pem(""), pem("MIICl==="),
    ])
  func noCertificate(text: String) { #expect(!PasskeyForms.certificate.holds(text)) }

  @Test("a certificate is told by its end")
  func shortened() {
    #expect(PasskeyForms.shortened(Self.pem("MIICljCC\nAX6gAwIBAgIJABCD\nAQ==")) == "…IBAgIJABCDAQ")
  }
}
