import Foundation
import GatehousePolicy
import Testing

@Suite("A passkey that is made without a question")
struct SilentPasskeyTests {
  private static let now = Date(timeIntervalSince1970: 1_795_253_400)

  private func policy(_ use: [Passkeys.Use], _ attestation: Passkeys.Attestation = .none, from: String) throws -> Policy
  {
    var policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: EmailPolicy()),
      password: PasswordPolicy(rules: []))
    let upgrade = Passkeys.Upgrade(from: try #require(Day(from)))
    policy.passkeys = Passkeys(use: use, upgrade: upgrade, attestation: attestation)
    return policy
  }

  @Test(
    "is no second factor, and not vouched for",
    arguments: [
      ([Passkeys.Use.signIn], Passkeys.Attestation.none, true), ([.signIn, .signUp], .none, true),
      ([.signIn, .secondFactor], .none, false), ([.signIn], .direct, false), ([.secondFactor], .none, false),
    ])
  func places(_ use: [Passkeys.Use], _ attestation: Passkeys.Attestation, _ isSilent: Bool) throws {
    #expect(try policy(use, attestation, from: "2026-01-01").makesPasskeysSilently == isSilent)
  }

  @Test("is of a person to whom one is offered", arguments: [("2026-01-01", true), ("2099-01-01", false)])
  func offered(_ from: String, _ isSilent: Bool) throws {
    let policy = try policy([.signIn], from: from)
    let user = StoredFacts(email: "pat@example.com", passwordChangedAt: Self.now)
    #expect(policy.makesPasskeySilently(for: user, at: Self.now) == isSilent)
  }
}
