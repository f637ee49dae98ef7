import GatehouseIdentity
@testable import GatehouseServer
import Testing

@Suite("The next page is one function of what is proven, what is missing, and where the way ends")
struct WayTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let next: [String]?
    let ending: Flow.Return
    let stop: Way.Stop
    var testDescription: String { "\(next ?? ["not signed in"]) \(ending)" }
  }

  private static let target = target("vibes://signed-in")

  private static func target(_ address: String) -> Flow.Target {
    Flow.Target(address: address, state: "s", challenge: CodeVerifier.generate().challenge)
  }

  static let rows: [Row] = [
    Row(next: nil, ending: .account("account"), stop: .page("sign-in")),
    Row(next: nil, ending: .target(target), stop: .page("sign-in")),
    Row(next: [], ending: .account("account"), stop: .page("account")),
    Row(next: [], ending: .account("account/devices"), stop: .page("account/devices")),
    Row(next: [], ending: .target(target), stop: .leave(target)),
    Row(next: ["verify_email"], ending: .target(target), stop: .page("check-mail")),
    Row(next: ["link:spotify", "verify_email"], ending: .target(target), stop: .page("check-mail")),
    Row(next: ["change_password"], ending: .account("account"), stop: .page("account/password")),
    Row(next: ["change_email"], ending: .account("account"), stop: .page("account/email")),
    Row(next: ["link:spotify", "profile:username"], ending: .target(target), stop: .page("complete")),
    Row(next: ["link:spotify"], ending: .target(target), stop: .page("connect/spotify")),
    Row(next: ["advice", "link:spotify"], ending: .target(target), stop: .page("connect/spotify")),
    Row(next: ["advice"], ending: .target(target), stop: .page("advice")),
    Row(next: ["advice", "add_passkey"], ending: .target(target), stop: .page(PagePath.passkey)),
    Row(next: ["add_passkey", "factors"], ending: .target(target), stop: .page(PagePath.factors)),
    Row(next: ["add_passkey", "enroll_mfa"], ending: .target(target), stop: .page(PagePath.factors)),
    Row(next: ["enroll_mfa"], ending: .target(target), stop: .page(PagePath.factors)),
    Row(next: ["verify_mfa"], ending: .target(target), stop: .page(PagePath.reauthenticate)),
    Row(next: ["a later step"], ending: .target(target), stop: .leave(target)),
  ]

  @Test("goes where the table says", arguments: rows)
  func table(_ row: Row) {
    #expect(Way.next(row.next, ending: row.ending) == row.stop)
  }

  @Test(
    "only an address of the web is opened without a click",
    arguments: [
      ("https://app.example/in", false), ("http://localhost:3000/in", false), ("vibes://signed-in", true),
      ("com.example.app:/in", true), ("httpsx://in", true),
    ])
  func scheme(_ address: String, _ asksUser: Bool) {
    #expect(Self.target(address).asksUser == asksUser)
  }
}
