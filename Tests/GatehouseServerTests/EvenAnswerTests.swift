import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("When answers leave that must not tell")
struct EvenAnswerTests {
  @Test(
    "T026 at the next whole step, whatever the work took",
    arguments: [
      (0, 25_000), (1, 24_999), (12_604, 12_396), (12_510, 12_490), (25_000, 0), (25_001, 24_999), (61_000, 14_000),
    ])
  func rest(_ elapsed: Int, _ left: Int) {
    #expect(EvenAnswer.rest(after: .microseconds(elapsed)) == .microseconds(left))
  }

  @Test("T026 every question about an address that is answered the same is answered at a step")
  func routes() {
    let even = Set(Routes.all.filter(\.isEven).map { "\($0.method.rawValue) \($0.path)" })
    #expect(
      even == [
        "POST /v1/sign-up", "POST /v1/sign-in", "POST /v1/me/email", "POST /v1/email-verification",
        "POST /v1/email-verification/confirm", "POST /v1/password-reset", "POST /v1/password-reset/confirm",
      ])
  }
}
