import GatehousePolicy
import GatehousePrimitives
import Testing

@testable import GatehouseServer

@Suite("Documents that associate apps and sites with passkeys")
struct AssociationDocumentTests {
  private static let root = "https://auth.ddride.example"
  private static let fingerprints = ["0A", "FF"].map { [String](repeating: $0, count: 32).joined(separator: ":") }

  /// The document's text; nil where there is none.
  private func text(
    _ document: AssociationDocument, _ passkeys: Passkeys, own: [String] = [Self.root]
  ) -> String? {
    document.value(passkeys, at: Self.root, own: own).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test("apps on Apple platforms share the credentials of the host")
  func apple() {
    let passkeys = Passkeys(use: [.signIn], apple: ["TEAM123456.com.example.DDRide", "TEAM123456.com.example.Driver"])
    let expected =
      #"{"webcredentials":{"apps":["TEAM123456.com.example.DDRide","TEAM123456.com.example.Driver"]}}"#
    #expect(text(.apple, passkeys) == expected)
  }

  @Test("each app on Android has a statement with its certificates")
  func android() {
    let apps: [Passkeys.AndroidApp] = [
      .init(package: "com.example.ddride", fingerprints: Self.fingerprints),
      .init(package: "com.example.driver", fingerprints: [Self.fingerprints[1]]),
    ]
    func statement(_ package: String, _ fingerprints: [String]) -> String {
      #"{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"android_app","#
        + #""package_name":"\#(package)","sha256_cert_fingerprints":["\#(fingerprints.joined(separator: "\",\""))"]}}"#
    }
    let expected = [
      statement("com.example.ddride", Self.fingerprints), statement("com.example.driver", [Self.fingerprints[1]]),
    ]
    #expect(
      text(.android, Passkeys(use: [.signIn], android: apps)) == "[\(expected.joined(separator: ","))]")
  }

  @Test("related origins are those of the policy, then those of the tenant's hosts")
  func origins() {
    let passkeys = Passkeys(use: [.signIn], origins: ["https://ddride.test", "https://app.ddride.example:8443"])
    let expected =
      #"{"origins":["https://ddride.test","https://app.ddride.example:8443","https://auth.ddride.example","#
      + #""https://login.ddride.example"]}"#
    #expect(text(.origins, passkeys, own: [Self.root, "https://login.ddride.example"]) == expected)
  }

  @Test("an origin that the policy lists and that is a host of the tenant stands once")
  func once() {
    #expect(
      text(.origins, Passkeys(use: [.signIn], origins: [Self.root])) == #"{"origins":["https://auth.ddride.example"]}"#)
  }

  @Test("passkeys are added and managed on one page")
  func endpoints() {
    let page = "https://auth.ddride.example/ui/account/factors"
    #expect(text(.endpoints, Passkeys(use: [.signIn])) == #"{"enroll":"\#(page)","manage":"\#(page)"}"#)
  }

  @Test("a policy without apps has no document of apps", arguments: [AssociationDocument.apple, .android])
  func none(document: AssociationDocument) {
    #expect(text(document, Passkeys(use: [.signIn])) == nil)
  }

  @Test("the documents stand at the root of a tenant's own host")
  func own() {
    let paths = Set(RootPaths(APIDescription(Self.root), isOwnHost: true).entries.map(\.path.text))
    #expect(paths.isSuperset(of: AssociationDocument.allCases.map(\.rawValue)))
  }

  @Test("the shared host has its description alone")
  func shared() {
    let paths = RootPaths(APIDescription(Self.root), isOwnHost: false).entries.map(\.path.text)
    #expect(paths == ["/openapi.json"])
  }
}
