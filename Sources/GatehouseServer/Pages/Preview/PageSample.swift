import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The circumstances under which a preview shows a page.
struct PageSample: Sendable {
  let page: any HostedPage.Type
  var person = Person.signedIn
  /// Fills the flow with which the page is opened.
  var flow: @Sendable (inout Flow, Policy) -> Void = { _, _ in }

  /// The person who looks at a page.
  enum Person: Sendable {
    case stranger
    /// Signed in just now, with a proven address and everything that the policy asks for.
    case signedIn
    /// The same, whose last proof is of an hour ago.
    case longSignedIn
    /// With an address that is not proven.
    case unproven
    /// Without a profile.
    case incomplete
    /// Without an account at any service.
    case unlinked
  }

  static let email = "preview@example.com"

  /// One for each page.
  static let all: [PageSample] = [
    PageSample(page: SignInPage.self, person: .stranger),
    PageSample(page: SecondStepPage.self, person: .stranger) { flow, policy in
      let seconds = policy.mfa.map { Int($0.rememberDevice) }.flatMap { $0 > 0 ? $0 : nil }
      let challenge = Refusal.Challenge(
        id: "preview", expiresIn: 300, factors: FactorForms.known, rememberSeconds: seconds)
      flow.challenge = Flow.Challenge(challenge, at: Date(timeIntervalSince1970: TimeInterval(flow.seenAt)))
    },
    PageSample(page: SignUpPage.self, person: .stranger),
    PageSample(page: CheckMailPage.self, person: .unproven), PageSample(page: ForgotPage.self, person: .stranger),
    PageSample(page: ResetPage.self, person: .stranger) { flow, _ in
      flow.email = email
      flow.reset = UUID()
    },
    PageSample(page: PasskeyOfferPage.self) { flow, _ in flow.passkeyOffer = .open },
    PageSample(page: AdvicePage.self) { flow, _ in flow.advice = .now },
    PageSample(page: CompletePage.self, person: .incomplete), PageSample(page: ConnectPage.self, person: .unlinked),
    PageSample(page: ReauthenticatePage.self, person: .longSignedIn), PageSample(page: AccountPage.self),
    PageSample(page: ProfilePage.self), PageSample(page: PasswordPage.self), PageSample(page: FactorsPage.self),
    PageSample(page: EmailPage.self), PageSample(page: DevicesPage.self), PageSample(page: ConnectionsPage.self),
    PageSample(page: DeletePage.self), PageSample(page: ExportPage.self),
    PageSample(page: ContinuePage.self) { flow, policy in
      flow.target = policy.app.continueTargets.first.flatMap { address in
        CodeChallenge(rawValue: sample).map { Flow.Target(address: address, state: "preview", challenge: $0) }
      }
    },
    PageSample(page: SignOutPage.self), PageSample(page: SignedOutPage.self, person: .stranger),
    link(VerifyEmailPage.self), link(ResetPasswordPage.self), link(ConfirmEmailPage.self), link(UndoEmailPage.self),
  ]

  /// 43 characters of base64url.
  private static let sample = String(repeating: "A", count: 43)

  private static func link(_ page: any HostedPage.Type) -> PageSample {
    PageSample(page: page, person: .stranger) { flow, _ in flow.token = "preview" }
  }

  /// The addresses of the page: one for each provider, where its path names one.
  func paths(_ policy: Policy) -> [(path: String, parameters: PathParameters)] {
    guard page.path.contains("{provider}") else { return [(page.path, PathParameters(all: []))] }
    return policy.providers.map(\.name).filter { $0 != "password" }.map { name in
      (page.path.replacing("{provider}", with: name), PathParameters(all: [(name: "provider", value: name)]))
    }
  }
}
