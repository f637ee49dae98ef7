import Foundation
import GatehousePolicy
import GatehouseWire

/// The demand for a second factor.
enum SecondProof {
  /// Whether an account owes a second proof beside a first one.
  static func isOwed(by user: StoredFacts, _ call: Call) -> Bool {
    isOwed(by: user, in: SessionFacts(level: .aal1), call.policy, at: call.now)
  }

  /// A factor of a later build is owed as well: this build can not judge it away.
  private static func isOwed(by user: StoredFacts, in session: SessionFacts, _ policy: Policy, at now: Date) -> Bool {
    guard session.level < .aal2 else { return false }
    return !policy.challenge(of: user, in: session, at: now).isEmpty
      || user.factors.contains { Proof.Method(name: $0).role == nil }
  }

  /// The methods of which one is asked for beside these proofs: those by which a demand of the policy is met first,
  /// then the other second factors that the account has. Each opens the session; a demand that the used one does not
  /// meet limits its access. None where one of them is proven, or was on this device as long ago as the policy
  /// remembers it.
  ///
  /// Refuses `passkey_invalid` where the only factor is the passkey that was used already, without its user's PIN or
  /// finger.
  static func demand(
    of user: StoredFacts, beside proofs: Proofs, _ policy: Policy, at now: Date
  ) throws -> [Proof.Method] {
    guard isOwed(by: user, in: proofs.facts, policy, at: now) else { return [] }
    let preferred = policy.challenge(of: user, in: proofs.facts, at: now).map(\.rawValue)
    let names = preferred + user.factors.filter { !preferred.contains($0) }
    let methods = names.map(Proof.Method.init(name:)).filter { method in
      !proofs.all.contains { $0.method == method }  // GUARD: second proof: another one than the first
    }
    guard !methods.isEmpty else {
      throw Refusal(.passkeyInvalid, note: "the user was not verified, and has no other factor")
    }
    return methods
  }

  /// The time at which a second factor was used on the device, where the policy still asks for none there: it remembers
  /// the device, and the proof that the device stands in for is not too old.
  static func remembered(_ device: PresentedDevice, _ call: Call) -> Date? {
    guard let used = device.device.trustedAt, let mfa = call.policy.mfa,
      // GUARD: remembered device: as long as the policy says
      call.now.timeIntervalSince(used) < TimeInterval(min(mfa.rememberDevice, mfa.validFor ?? .max))
    else { return nil }
    return used
  }
}

extension Proofs {
  /// The facts about the proofs that a policy may ask. A remembered device stands in for the second proof that it had.
  var facts: SessionFacts {
    let seconds = all.filter { isSecond($0) || $0.method == .rememberedDevice }
    let reached: AssuranceLevel =
      switch level {
      case .phr: .phr
      case .aal2: .aal2
      case .aal1: seconds.isEmpty ? .aal1 : .aal2
      case .zero: .aal1
      }
    return SessionFacts(level: reached, secondProofAt: seconds.map(\.at).max())
  }
}
