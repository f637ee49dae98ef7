import GatehousePolicy

/// The demand for a second factor.
enum SecondProof {
  /// The methods of which one is asked for beside these proofs: the second factors that the account has, or none where
  /// one of them is proven.
  static func demand(of user: StoredFacts, beside proofs: Proofs) -> [Proof.Method] {
    let factors = user.factors.map(Proof.Method.init(name:))
    return proofs.all.contains { factors.contains($0.method) } ? [] : factors
  }
}
