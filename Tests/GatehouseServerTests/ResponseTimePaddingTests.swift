import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("When answers leave that must not tell")
struct ResponseTimePaddingTests {
  @Test(
    "T026 at the next whole step, whatever the work took",
    arguments: [(0, 1), (1, 1), (12_510, 1), (12_604, 1), (25_000, 1), (25_001, 2), (50_000, 2), (61_000, 3)])
  func steps(_ microseconds: Int, _ steps: Int) {
    #expect(ResponseTimePadding.steps(after: .microseconds(microseconds)) == steps)
  }

  @Test("T026 every question about an address that is answered the same is answered at a step")
  func routes() {
    let even = Set(Routes.all.filter { $0.traits.contains(.isEven) }.map { "\($0.method.rawValue) \($0.path)" })
    #expect(
      even == [
        "POST /v1/sign-up", "POST /v1/sign-in", "POST /v1/passkeys/sign-up/complete", "POST /v1/me/email",
        "POST /v1/email-verification", "POST /v1/email-verification/confirm", "POST /v1/password-reset",
        "POST /v1/password-reset/confirm",
      ])
  }
}
