import Foundation
import GatehousePolicy

/// The demand for a second factor.
enum SecondProof {
  /// The methods of which one is asked for beside these proofs: the second factors that the account has, or none where
  /// one of them is proven, or was on this device as long ago as the policy remembers it.
  static func demand(of user: StoredFacts, beside proofs: Proofs) -> [Proof.Method] {
    let factors = user.factors.map(Proof.Method.init(name:))
    let isMet = proofs.all.contains { factors.contains($0.method) || $0.method == .rememberedDevice }
    return isMet ? [] : factors
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
    let seconds = all.filter { $0.method.role == .second || $0.method == .rememberedDevice }
    let isSecond = level >= .aal2 || (level == .aal1 && !seconds.isEmpty)
    return SessionFacts(level: isSecond ? .aal2 : .aal1, secondProofAt: seconds.map(\.at).max())
  }
}
