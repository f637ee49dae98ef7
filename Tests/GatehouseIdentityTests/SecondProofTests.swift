import Foundation
import GatehousePolicy
import Testing

@testable import GatehouseIdentity

@Suite("The demand for a second factor")
struct SecondProofTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func proofs(_ methods: Proof.Method..., verified: Bool = false) -> Proofs {
    let all = methods.map { Proof(method: $0, at: now, isUserVerified: verified) }
    return Proofs(
      tenant: TenantID(UUID()), user: UserID(UUID()), first: all[0], Array(all.dropFirst()))
  }

  private func asked(
    of factors: [String], beside proofs: Proofs, passkeys: [Passkeys.Use]? = nil, level: AssuranceLevel? = nil
  ) throws -> [Proof.Method] {
    var policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []))
    policy.passkeys = passkeys.map { Passkeys(use: $0) }
    policy.mfa = level.map { MFA(factors: Factor.allCases, requiredIf: [MFA.Demand(id: "mfa.all", level: $0)]) }
    let user = StoredFacts(email: "ann@example.com", emailVerified: true, profile: [:], factors: factors)
    return try SecondProof.demand(of: user, beside: proofs, policy, at: now)
  }

  @Test("an account without second factors is asked for none")
  func none() throws {
    #expect(try asked(of: [], beside: proofs(.password)) == [])
    #expect(try asked(of: [], beside: proofs(.provider)) == [])
  }

  @Test("an account with some is asked for one of them, until one is proven")
  func factors() throws {
    let own = ["totp", "recovery_code"]
    let both = [Proof.Method.totp, .recoveryCode]
    #expect(try asked(of: own, beside: proofs(.password)) == both)
    #expect(try asked(of: own, beside: proofs(.password, .provider)) == both)
    #expect(try asked(of: own, beside: proofs(.password, .recoveryCode)) == [])
    #expect(try asked(of: own, beside: proofs(.rememberedDevice, .password)) == [])
  }

  @Test("a factor of a later build is asked for, with those that this build knows")
  func later() throws {
    #expect(try asked(of: ["scent"], beside: proofs(.password)) == [.later("scent")])
  }

  @Test("a passkey is owed after a password where it is a second factor, and where the policy says nothing of passkeys")
  func passkey() throws {
    let own = ["passkey", "recovery_code"]
    #expect(try asked(of: own, beside: proofs(.password), passkeys: [.secondFactor]) == [.passkey, .recoveryCode])
    #expect(try asked(of: own, beside: proofs(.password)) == [.passkey, .recoveryCode])
    #expect(try asked(of: own, beside: proofs(.password), passkeys: [.signIn]) == [])
  }

  @Test("a passkey to sign in with alone is owed where a demand binds, or beside an app")
  func alone() throws {
    #expect(try asked(of: ["passkey"], beside: proofs(.password), passkeys: [.signIn], level: .aal2) == [.passkey])
    #expect(try asked(of: ["totp", "passkey"], beside: proofs(.password), passkeys: [.signIn]) == [.totp, .passkey])
  }

  @Test("the factors that meet a demand come first, and one that does not opens the session as well")
  func phishing() throws {
    let own = ["totp", "passkey", "recovery_code"]
    #expect(
      try asked(of: own, beside: proofs(.password), level: .phr) == [.passkey, .totp, .recoveryCode])
    #expect(try asked(of: own, beside: proofs(.password, .totp), level: .phr) == [])
  }

  @Test("a passkey that verified its user is asked for nothing more, and one that did not for another factor")
  func verified() throws {
    let own = ["passkey", "recovery_code"]
    #expect(try asked(of: own, beside: proofs(.passkey, verified: true)) == [])
    #expect(try asked(of: own, beside: proofs(.passkey)) == [.recoveryCode])
  }

  @Test("M01 a passkey that did not verify its user does not open an account that owes another factor and has none")
  func noOther() {
    #expect(throws: Refusal.self) { try asked(of: ["passkey"], beside: proofs(.passkey)) }
  }
}
