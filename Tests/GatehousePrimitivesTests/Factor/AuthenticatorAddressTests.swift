import Foundation
import Testing

@testable import GatehousePrimitives

@Suite("The address that an authenticator app scans") struct AuthenticatorAddressTests {
  private static let seed = Secret([UInt8](repeating: 0, count: 20))
  private static let rest = "secret=\(String(repeating: "A", count: 32))"

  static func address(_ app: String, _ email: String) -> String {
    AuthenticatorAddress(app: app, email: email, seed: seed).text.expose { $0 }
  }

  @Test("it names the app twice, the account, and all that codes depend on")
  func whole() {
    #expect(
      Self.address("DD Ride", "willie@ksu.edu")
        == "otpauth://totp/DD%20Ride:willie%40ksu.edu?\(Self.rest)&issuer=DD%20Ride&algorithm=SHA1&digits=6&period=30")
  }

  @Test("what a name holds stays in its place", arguments: ["A&B=C", "A?x#y", "A/B", "A%41", "100% Über", "日本", "a+b"])
  func escapes(name: String) throws {
    let parts = try #require(URLComponents(string: Self.address(name, "a@example.com")))
    #expect(parts.path == "/\(name):a@example.com")
    #expect(parts.queryItems?.first { $0.name == "issuer" }?.value == name)
    #expect(parts.queryItems?.count == 5)
  }

  @Test("a colon in the app's name or the address leads no app astray: the only one is between them")
  func colons() throws {
    let parts = try #require(URLComponents(string: Self.address("DD: Ride", "\"a:b\"@example.com")))
    #expect(parts.path == "/DD Ride:\"ab\"@example.com")
  }

  @Test("what is too long ends with a whole character")
  func long() throws {
    let parts = try #require(URLComponents(string: Self.address(String(repeating: "é", count: 99), "a@example.com")))
    #expect(parts.path == "/\(String(repeating: "é", count: 24)):a@example.com")
  }

  @Test("the longest address fits into a QR code")
  func fits() throws {
    let longest = Self.address(String(repeating: "日", count: 99), String(repeating: "日", count: 99))
    #expect(longest.utf8.count <= AuthenticatorAddress.mostBytes)
    _ = try QRCode.svg(of: longest)
  }

  @Test("it is not printed by accident")
  func hidden() {
    let address = AuthenticatorAddress(app: "DD Ride", email: "a@example.com", seed: Self.seed)
    #expect(!"\(address)".contains("AAAA"))
  }
}
