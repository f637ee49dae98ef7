// The strength of a fresh proof: an account with second factors proves itself by the strongest of them, so that a thief
// of a weaker one can not remove the stronger.

import Foundation
import GatehousePolicy
import GatehouseWire

/// The subject of a door that demands a fresh proof.
package enum FreshDemand: Sendable {
  /// The account, and all that belongs to it.
  case account
  /// Its second factors and recovery codes. A recovery code opens these doors whichever factors the account has: it is
  /// the way to remove a lost passkey.
  case factors
}

extension StoredUser {
  /// Whether the account has a passkey that the tenant takes now: of a relying party whose passkeys prove, and of a
  /// kind that the policy does not refuse.
  func provesByPasskey(_ call: Call) -> Bool {
    let parties = call.tenant.provingParties(at: call.now)
    return passkeys.contains { passkey in
      // GUARD: step-up: a passkey of another domain
      parties.contains { $0.id.utf8.elementsEqual(passkey.rpID.utf8) }
        // GUARD: step-up: a passkey that the policy refuses
        && call.policy.refusal(ofPasskeySynced: passkey.isBackupEligible, attested: nil) == nil
    }
  }

  /// The second factors by which the account can prove itself now.
  fileprivate func seconds(_ call: Call) -> [Proof.Method] {
    factors.map(Proof.Method.init(name:)).filter { $0.isSecond && ($0 != .passkey || provesByPasskey(call)) }
  }

  /// The level of proofs after more of them.
  fileprivate func level(_ proofs: Proofs?, and methods: [Proof.Method], _ call: Call) -> AuthenticationLevel {
    let all = methods.reduce(proofs) { proofs, method in
      let proof = Proofs(of: id, by: method, isUserVerified: method == .passkey, call)
      return (try? proofs?.joined(by: proof)) ?? proof
    }
    return all?.level ?? .zero
  }

  /// Whether proofs are at the highest level that the account can reach from them.
  fileprivate func isHighest(_ proofs: Proofs?, and methods: [Proof.Method] = [], _ call: Call) -> Bool {
    level(proofs, and: methods, call) >= level(proofs, and: seconds(call), call)
  }

  /// The ways to a fresh proof that are open to this account, in the order in which they are offered. Of one that owes
  /// a second factor, those that reach the highest level that it can.
  /// - Parameter proofs: those of its session; nil where it is not known.
  package func freshWays(
    for demand: FreshDemand = .account, beside proofs: Proofs? = nil, _ call: Call, _ services: Services
  ) -> [FreshWay] {
    let open = FreshWay.all.filter { $0.isOpen(self, call, services) }
    guard SecondProof.isOwed(by: facts, call) else { return open }
    let first = proofs ?? Proofs(of: id, by: .password, call)
    return open.filter { way in
      way.isSecond
        && (demand == .factors && way == .recoveryCode
          || isHighest(first, and: [Proof.Method(name: way.name)], call))
    }
  }
}

extension SignedIn {
  /// Whether the session has a proof of the last five minutes. Of an account that owes a second factor it is one by
  /// such, and all proofs of the session together are at the highest level that the account can reach. A sign-in at a
  /// provider that does not say whether its user was present is a proof only of an account that no code can be mailed
  /// to.
  package func isRecent(for demand: FreshDemand = .account, _ call: Call) -> Bool {
    let proofs = session.proofs
    let owesSecond = SecondProof.isOwed(by: user.facts, call)
    let isRecent = proofs.isRecent(
      at: call.now, owesSecond: owesSecond,
      countsSilent: user.emailVerifiedAt == nil)  // GUARD: fresh proof: a provider's where no code can be mailed
    guard isRecent, owesSecond else { return isRecent }
    let isHighest = user.isHighest(proofs, call)  // GUARD: step-up: the highest level of the account
    let takesCode = demand == .factors  // GUARD: step-up: a recovery code for factors alone
    return isHighest || (takesCode && proofs.hasRecent(.recoveryCode, at: call.now))
  }

  /// The ways to a fresh proof that open doors of this demand.
  package func freshWays(for demand: FreshDemand = .account, _ call: Call, _ services: Services) -> [FreshWay] {
    user.freshWays(for: demand, beside: session.proofs, call, services)
  }

  /// Refuses `reauthentication_required` where the session has no fresh proof.
  func demandFreshProof(for demand: FreshDemand = .account, _ call: Call, _ services: Services) throws {
    guard isRecent(for: demand, call) else {
      throw Refusal.reauthentication(of: self, for: demand, call, services)
    }
  }
}

extension Refusal {
  /// That a fresh proof of this account is needed, with the ways to one.
  static func reauthentication(
    of me: SignedIn, for demand: FreshDemand = .account, _ call: Call, _ services: Services
  ) -> Refusal {
    reauthentication(by: me.freshWays(for: demand, call, services))
  }

  /// The same. Its reader MUST be signed in to the account.
  static func reauthentication(by ways: [FreshWay]) -> Refusal {
    var refusal = Refusal(.reauthenticationRequired)
    refusal.methods = ways.map(\.name)
    return refusal
  }
}
