package import Foundation
import GatehouseWire

/// That the owner of an account was there: by which method, and when. Features that establish who a caller is make one.
package struct Proof: Sendable, Hashable {
  /// How the owner proved it.
  package enum Method: String, Sendable, CaseIterable {
    case password
    /// A sign-in at an identity provider.
    case provider

    /// Its Authentication Method Reference (RFC 8176), which has no word for a provider.
    package var reference: String {
      switch self {
      case .password: "pwd"
      case .provider: "fed"
      }
    }

    /// Reads a reference; nil for one that no method has.
    package init?(reference: String) {
      guard let method = Method.allCases.first(where: { $0.reference == reference }) else { return nil }
      self = method
    }
  }

  package let method: Method
  package let at: Date

  package init(method: Method, at: Date) {
    self.method = method
    self.at = at
  }
}

/// What an account's owner proved: at least one proof, all of one account of one tenant. What tokens and rules say of an authentication
/// is computed from it.
package struct Proofs: Sendable, Hashable {
  package let tenant: TenantID
  package let account: AccountID
  /// In the order in which they came, one for each method.
  package private(set) var all: [Proof]

  /// One proof, made in this request.
  init(of account: AccountID, by method: Proof.Method, _ call: Call) {
    self.init(tenant: call.tenant.id, account: account, first: Proof(method: method, at: call.now), [])
  }

  /// Proofs as they were stored, oldest first.
  package init(tenant: TenantID, account: AccountID, first: Proof, _ others: [Proof]) {
    self.tenant = tenant
    self.account = account
    all = [first] + others
  }

  /// These and newer ones of the same account. Of one method the newer proof counts. Refuses `forbidden` for those of another account.
  func joined(by newer: Proofs) throws -> Proofs {
    guard
      newer.account == account,  // GUARD: proofs: of one account
      newer.tenant == tenant  // GUARD: proofs: of one tenant
    else { throw Refusal(.forbidden) }
    var joined = self
    joined.all.removeAll { old in newer.all.contains { $0.method == old.method } }
    joined.all += newer.all
    return joined
  }

  /// The proof that came last.
  package var newest: Proof {
    // INVARIANT: there is at least one.
    all[all.count - 1]
  }

  /// `auth_time` (OpenID Connect Core 1.0 section 2): when the owner was last there.
  package var authTime: Date { newest.at }

  /// `amr` (RFC 8176).
  package var amr: [String] { all.map(\.method.reference) }

  /// Whether there is a proof, by this method where one is given, of the last five minutes.
  package func isRecent(_ method: Proof.Method? = nil, at now: Date) -> Bool {
    all.contains { proof in
      (method ?? proof.method) == proof.method && now.timeIntervalSince(proof.at) < Double(SignedIn.recentSeconds)
    }
  }
}
