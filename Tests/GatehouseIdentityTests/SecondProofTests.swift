import Foundation
import GatehousePolicy
import Testing

@testable import GatehouseIdentity

@Suite("The demand for a second factor")
struct SecondProofTests {
  private static func proofs(_ methods: Proof.Method...) -> Proofs {
    let all = methods.map { Proof(method: $0, at: .distantPast) }
    return Proofs(
      tenant: TenantID(UUID()), user: UserID(UUID()), first: all[0], Array(all.dropFirst()))
  }

  private static func user(_ factors: [String]) -> StoredFacts {
    StoredFacts(email: "ann@example.com", emailVerified: true, profile: [:], factors: factors)
  }

  @Test("an account without second factors is asked for none")
  func none() {
    #expect(SecondProof.demand(of: Self.user([]), beside: Self.proofs(.password)) == [])
    #expect(SecondProof.demand(of: Self.user([]), beside: Self.proofs(.provider)) == [])
  }

  @Test("an account with some is asked for one of them, until one is proven")
  func factors() {
    let user = Self.user(["totp", "recovery_code"])
    let both = [Proof.Method.totp, .recoveryCode]
    #expect(SecondProof.demand(of: user, beside: Self.proofs(.password)) == both)
    #expect(SecondProof.demand(of: user, beside: Self.proofs(.password, .provider)) == both)
    #expect(SecondProof.demand(of: user, beside: Self.proofs(.password, .recoveryCode)) == [])
    #expect(SecondProof.demand(of: user, beside: Self.proofs(.rememberedDevice, .password)) == [])
  }
}
