import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("The Idempotency-Key field")
struct IdempotencyKeyTests {
  private func key(_ values: [String], _ isIdempotent: Bool = true) throws -> String? {
    let route = try #require(Routes.all.first { $0.isIdempotent == isIdempotent })
    let request = try #require(
      Request(method: .post, target: "/t/a/v1/x", headers: Headers(values.map { ("idempotency-key", $0) })))
    return try IdempotencyGate.key(request, route)
  }

  @Test("one field of 1 to 255 visible ASCII characters is a key, byte for byte")
  func taken() throws {
    let longest = String(repeating: "~", count: 255)
    for value in ["a", "!", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", longest] { #expect(try key([value]) == value) }
    #expect(try key([]) == nil)
    #expect(try key(["a"], false) == nil)
  }

  @Test(
    "anything else is refused",
    arguments: [[""], ["a b"], ["é"], ["a", "a"], [String(repeating: "a", count: 256)], ["a\u{7f}"], ["\t"]])
  func refused(_ values: [String]) {
    #expect {
      _ = try key(values)
    } throws: { error in
      (error as? Refusal)?.code == .malformedRequest
    }
  }

  @Test("sign-up and everything that sends a mail on demand takes a key")
  func operations() {
    #expect(
      Routes.all.filter(\.isIdempotent).map(\.path) == [
        "/v1/sign-up", "/v1/passkeys/sign-up/complete", "/v1/reauthenticate/code", "/v1/me/email",
        "/v1/email-verification", "/v1/password-reset",
      ])
  }

  @Test("a route that exchanges a refresh token takes a retry key, and keeps no answer for it")
  func exchanges() throws {
    let routes = Routes.all.filter(\.takesRetryKey)
    #expect(routes.map(\.path) == ["/v1/token", "/v1/reauthenticate"])
    #expect(routes.allSatisfy { !$0.isIdempotent })
  }
}
