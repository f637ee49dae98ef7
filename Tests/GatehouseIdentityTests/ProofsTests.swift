import Foundation
import GatehousePolicy
import Testing

@testable import GatehouseIdentity

@Suite("Proofs")
struct ProofsTests {
  private let tenant = TenantID(UUID())
  private let user = UserID(UUID())
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func proofs(_ method: Proof.Method, _ age: TimeInterval = 0) -> Proofs {
    Proofs(tenant: tenant, user: user, first: Proof(method: method, at: now - age), [])
  }

  @Test("a newer proof joins the older ones, and replaces the one by the same method")
  func joins() throws {
    let both = try proofs(.password, 900).joined(by: proofs(.provider, 600))
    #expect(both.amr == ["pwd", "fed"] && both.authTime == now - 600)
    let again = try both.joined(by: proofs(.password))
    #expect(again.amr == ["fed", "pwd"] && again.authTime == now)
  }

  @Test("proofs of another account or tenant join none")
  func foreign() throws {
    for other in [
      Proofs(tenant: tenant, user: UserID(UUID()), first: Proof(method: .provider, at: now), []),
      Proofs(tenant: TenantID(UUID()), user: user, first: Proof(method: .provider, at: now), []),
    ] {
      #expect(throws: Refusal.self) { try proofs(.password).joined(by: other) }
    }
  }

  @Test("a proof is fresh for five minutes")
  func recent() throws {
    let both = try proofs(.provider, 600).joined(by: proofs(.password, 299))
    #expect(
      both.isRecent(at: now, owesSecond: false, countsSilent: true)
        && !both.isRecent(at: now + 1, owesSecond: false, countsSilent: true))
  }

  @Test("T192 a provider's proof is fresh if it says that its user was there, and where silence counts")
  func silence() {
    for (isActive, countsSilent, isFresh) in [
      (true, false, true), (true, true, true), (false, true, false), (false, false, false), (nil, true, true),
      (nil, false, false),
    ] as [(Bool?, Bool, Bool)] {
      let proof = Proof(method: .provider, at: now, isActive: isActive)
      let proofs = Proofs(tenant: tenant, user: user, first: proof, [])
      #expect(proofs.isRecent(at: now, owesSecond: false, countsSilent: countsSilent) == isFresh)
    }
    #expect(proofs(.emailCode).isRecent(at: now, owesSecond: false, countsSilent: false))
  }

  @Test("a method has a name of its own, and a reference of RFC 8176, by which older builds stored it")
  func references() {
    #expect(Proof.Method.known.map { Proof.Method(name: $0.name) } == Proof.Method.known)
    #expect(Proof.Method(name: "passkey_of_later") == .later("passkey_of_later"))
    let older: [Proof.Method] = [.password, .provider, .emailCode]
    #expect(older.map { Proof.Method(reference: $0.reference) } == older)
  }

  @Test("a mailed code alone, or a method of a later build alone, is below the levels")
  func below() throws {
    #expect(proofs(.emailCode).level == .zero)
    #expect(proofs(.later("scent")).level == .zero)
    #expect(try proofs(.emailCode).joined(by: proofs(.password)).level == .aal1)
    #expect(AuthenticationLevel.zero.rawValue == "0")
  }

  @Test("a first and a second proof are aal2 and say mfa, and a second one alone is neither")
  func second() throws {
    for first in [Proof.Method.password, .provider] {
      for second in [Proof.Method.totp, .recoveryCode] {
        let both = try proofs(first).joined(by: proofs(second))
        #expect(both.level == .aal2 && both.amr == [first.reference, "otp", "mfa"])
        #expect(proofs(second).level == .aal1 && proofs(second).amr == ["otp"])
      }
    }
    #expect(try proofs(.totp).joined(by: proofs(.recoveryCode)).level == .aal1)
    #expect(try proofs(.emailCode).joined(by: proofs(.totp)).level == .aal1)
  }

  @Test("M05 a remembered device proves nothing: no level, no method, no time and no fresh proof")
  func rememberedDevice() {
    let remembering = proofs(.password, 300).remembering(deviceSince: now)
    #expect(remembering.level == .aal1 && remembering.amr == ["pwd"] && remembering.authTime == now - 300)
    for owes in [false, true] { #expect(!remembering.isRecent(at: now, owesSecond: owes, countsSilent: true)) }
  }

  @Test("T106 beside second factors only one of them is a fresh proof")
  func freshBeside() throws {
    for first in [Proof.Method.password, .provider, .emailCode] {
      #expect(!proofs(first).isRecent(at: now, owesSecond: true, countsSilent: true))
      for second in [Proof.Method.totp, .recoveryCode] {
        let both = try proofs(second, 299).joined(by: proofs(first))
        #expect(both.isRecent(at: now, owesSecond: true, countsSilent: false))
        #expect(!both.isRecent(at: now + 1, owesSecond: true, countsSilent: false))
      }
    }
  }

  private func passkey(verified: Bool, _ age: TimeInterval = 0) -> Proofs {
    Proofs(
      tenant: tenant, user: user, first: Proof(method: .passkey, at: now - age, isUserVerified: verified), [])
  }

  @Test("a passkey that verified its user is phr alone, and one that did not is one proof")
  func passkeyAlone() {
    #expect(passkey(verified: true).level == .phr && passkey(verified: true).amr == ["pop", "mfa"])
    #expect(passkey(verified: false).level == .aal1 && passkey(verified: false).amr == ["pop"])
  }

  @Test("a passkey beside another proof is phr, whether or not it verified its user", arguments: [true, false])
  func passkeyBeside(verified: Bool) throws {
    for other in [Proof.Method.password, .provider, .totp, .recoveryCode] {
      let both = try proofs(other).joined(by: passkey(verified: verified))
      #expect(both.level == .phr && both.amr.last == "mfa", "\(other)")
    }
    let mailed = try proofs(.emailCode).joined(by: passkey(verified: verified))
    #expect(mailed.level == (verified ? .phr : .aal1))
  }

  @Test("a passkey is a fresh second factor where it is one of two proofs, and the facts of a policy say the same")
  func passkeyFresh() throws {
    let alone = passkey(verified: false)
    #expect(!alone.isRecent(at: now, owesSecond: true, countsSilent: true))
    #expect(alone.facts.level == .aal1 && alone.facts.secondProofAt == nil)
    let both = try proofs(.password, 900).joined(by: passkey(verified: false, 299))
    #expect(both.isRecent(at: now, owesSecond: true, countsSilent: true))
    #expect(both.facts.level == .phr && both.facts.secondProofAt == now - 299)
  }

  @Test("two first proofs are no second factor, and a method of a later build raises nothing")
  func level() throws {
    #expect(proofs(.password).level == .aal1)
    #expect(try proofs(.password).joined(by: proofs(.provider)).level == .aal1)
    #expect(try proofs(.password).joined(by: proofs(.later("scent"))).level == .aal1)
    #expect(try proofs(.provider).joined(by: proofs(.emailCode)).level == .aal1)
    #expect(proofs(.provider).level == .aal1)
  }
}
