import Testing

@testable import GatehouseServer

@Suite("The page that asks for a second factor")
struct FactorPageTests {
  private enum Codes: HostedPage {
    static let path = "codes"
    static let audience = PageAudience.anyone
    static let factors = ["totp", "recovery_code"]
    static func screen(_ visit: Visit) async throws -> Screen? { nil }
  }

  private enum Keys: HostedPage {
    static let path = "keys"
    static let audience = PageAudience.anyone
    static let factors = ["webauthn"]
    static func screen(_ visit: Visit) async throws -> Screen? { nil }
  }

  @Test(
    "is the one of the first factor that has one",
    arguments: [
      (["webauthn", "totp"], "keys"), (["recovery_code"], "codes"), (["later", "totp", "webauthn"], "codes"),
      (["later"], nil), ([], nil),
    ])
  func page(factors: [String], path: String?) {
    #expect(PageTable.page(asking: factors, among: [SignInPage.self, Codes.self, Keys.self])?.path == path)
  }
}
