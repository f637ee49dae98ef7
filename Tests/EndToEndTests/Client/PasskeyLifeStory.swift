import Foundation
import GatehouseClient
import Testing

/// The life of a passkey besides sign-ins, told by outcomes alone: offers, a sign-up without a password, and its end.
struct PasskeyLifeStory {
  /// A device that was never used.
  let device: () throws -> AuthClient
  /// A new passkey for the account of the options.
  let make: (PasskeyCreation) throws -> StoryPasskey

  private static let email = "al@example.com"
  private static let other = "bo@example.com"
  private static let password = "Quilted-Harbour-2031!"

  private typealias Step = (String, () async throws -> String) async -> Void

  /// Every step with its outcome, in order.
  func told() async throws -> [String] {
    var lines: [String] = []
    func step(_ name: String, _ body: () async throws -> String) async {
      do { lines.append("\(name): \(try await body())") } catch {
        guard let error = error as? AuthError else { return lines.append("\(name): \(error)") }
        lines.append("\(name): \(error.code) \(error.violations.map(\.rule))")
      }
    }
    let (phone, tablet) = (try device(), try device())
    _ = try await phone.signUp(email: Self.email, password: Self.password, profile: ["displayName": "Al"])
    await step("the policy") {
      let policy = try await phone.policy()
      return "\(policy.signsInWithPasskeys) \(policy.signsUpWithPasskeys) \(policy.admitsPasskeys)"
    }
    try await offers(phone, step)
    let passkey = try await signUp(tablet, step)
    try await end(tablet, passkey, step)
    return lines
  }

  private func offers(_ phone: AuthClient, _ step: Step) async throws {
    await step("offers to a person with a password") { "\(phone.offers.map(\.rawValue))" }
    let creation = try await phone.startPasskey()
    let passkey = try make(creation)
    _ = try await phone.addPasskey(try passkey.registration(creation), for: creation)
    await step("offers to a person with a passkey") { "\(phone.offers.map(\.rawValue))" }
    await step("the same after a look") {
      _ = try await phone.reload()
      return "\(phone.offers.map(\.rawValue))"
    }
    await step("what a passkey manager is told") {
      let accepted = try await phone.factors().accepted
      return
        "\(accepted?.userName ?? "-") \(accepted?.credentialIDs.count ?? 0) \(accepted?.userID == creation.userID) "
        + "\(accepted?.relyingParty == creation.relyingParty)"
    }
  }

  private func signUp(_ tablet: AuthClient, _ step: Step) async throws -> StoryPasskey {
    await step("options without an address") {
      let nameless = try await tablet.startPasskeySignUp()
      return "\(nameless.userName.isEmpty) \(nameless.excludedCredentials.count) \(nameless.userVerification)"
    }
    let (first, creation) = (
      try await tablet.startPasskeySignUp(email: Self.other), try await tablet.startPasskeySignUp(email: Self.other)
    )
    await step("options with an address") { "\(creation.userName) \(first.userID == creation.userID)" }
    let passkey = try make(creation)
    let profile: Profile = ["displayName": "Bo"]
    await step("an answer to other options") {
      try await tablet.signUp(
        with: try passkey.registration(creation), for: first, email: Self.other, profile: profile
      ).user?.email ?? "-"
    }
    let answer = try passkey.registration(creation)
    await step("an address that is taken") {
      try await tablet.signUp(with: answer, for: creation, email: Self.email, profile: profile).user?.email ?? "-"
    }
    await step("a form without a name") {
      try await tablet.signUp(with: answer, for: creation, email: Self.other).user?.email ?? "-"
    }
    await step("the corrected form") {
      let state = try await tablet.signUp(
        with: answer, for: creation, email: Self.other, profile: profile, name: " Key ")
      return "\(state.user?.email ?? "-") \(state.user?.isEmailVerified as Any) \(tablet.offers.map(\.rawValue))"
    }
    await step("the same again") {
      try await tablet.signUp(with: answer, for: creation, email: "eve@example.com", profile: profile).user?.email
        ?? "-"
    }
    await step("the factors") {
      let factors = try await tablet.factors()
      return "\(factors.items.map { $0.name ?? "-" }) \(factors.recoveryCodesLeft)"
    }
    return passkey
  }

  private func end(_ tablet: AuthClient, _ passkey: StoryPasskey, _ step: Step) async throws {
    let only = try #require(try await tablet.factors().items.first)
    await step("the only way in") {
      try await tablet.removeFactor(only.id, isLost: true)
      return "removed"
    }
    await tablet.signOut()
    await step("a sign-in") {
      let request = try await tablet.startPasskeySignIn()
      let state = try await tablet.signIn(with: try passkey.assertion(request), for: request)
      return "\(state.user?.email ?? "-") \(request.former == nil)"
    }
  }
}
