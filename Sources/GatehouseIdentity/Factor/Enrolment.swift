import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The end of every enrolment: the factor is stored, its proof joins the session, the first factor of an account comes
/// with recovery codes, and the owner is told, in one commit.
struct Enrolment {
  let method: Proof.Method
  let factor: UUID
  /// Whether a passkey verified its user as it was made.
  var isUserVerified = false
  /// The use of the ticket, and the new factor.
  let adding: [Change]

  /// Refuses `conflict` beyond `most` factors of the kind, and `code_expired` where another request was faster.
  func commit(_ most: Int, of me: SignedIn, _ call: Call, _ services: Services) async throws
    -> (codes: [RecoveryCode]?, session: JoinedSession)
  {
    let isFirst = me.user.factors.isEmpty
    let codes = isFirst ? RecoveryCode.makeSet() : nil
    do {
      var joined = try await Completion.join(
        Proofs(of: me.user.id, by: method, factor: factor, isUserVerified: isUserVerified, call), to: me.session,
        of: me,
        with: adding + (codes.map { RecoveryCodes.changes($0, of: me.user, call, services) } ?? [])
          + [
            .audit(
              call.entry(
                .factorAdded, services, actor: .user(me.user.id), user: me.user.id, session: me.session.id,
                details: ["kind": method.name]))
          ] + (try Messaging.notice(.factorAdded, to: me.user, call, services)),
        using: nil, codes: codes?.map(\.shown), call, services)
      joined.user.factors =
        isFirst
        ? [method.name, Proof.Method.recoveryCode.name]
        : joined.user.factors + (joined.user.factors.contains(method.name) ? [] : [method.name])
      return (codes, joined)
    } catch StoreError.refused(.factorHasRoom) {
      throw Enrolment.full(most)
    } catch StoreError.refused(.ticketIsLive) {
      throw Refusal(.codeExpired)
    }
  }

  /// The refusal of one more factor of a kind.
  static func full(_ most: Int) -> Refusal {
    Refusal(.conflict, detail: "An account has at most \(most) factors of this kind: remove one first.")
  }
}

extension Call {
  /// Refuses `not_found` where people cannot add a factor of this kind.
  func demandFactor(_ factor: Factor) throws {
    // GUARD: factor: of a kind that the policy has
    guard policy.admits(factor) else { throw Refusal(.notFound) }
  }
}
