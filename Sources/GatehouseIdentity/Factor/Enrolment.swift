import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The end of every enrolment: the factor is stored, its proof joins the session, a factor of an account that has no
/// recovery code comes with ten, and the owner is told, in one commit.
///
/// A sign-up with a passkey makes none: its address is not proven yet, and the answers of a sign-up and of a mailed
/// code have no place for them. The mail is the way back of such an account, and its next factor brings the codes.
struct Enrolment {
  let method: Proof.Method
  let factor: UUID
  /// Whether a passkey verified its user as it was made.
  var isUserVerified = false
  /// Whether an account without recovery codes gets some.
  var makesCodes = true
  /// The use of the ticket, and the new factor.
  let adding: [Change]

  /// Refuses `conflict` beyond `most` factors of the kind, and `code_expired` where another request was faster.
  func commit(_ most: Int, of me: SignedIn, _ call: Call, _ services: Services) async throws
    -> (codes: [RecoveryCode]?, session: JoinedSession)
  {
    let hasCodes = me.user.factors.contains(Proof.Method.recoveryCode.name)
    let codes = hasCodes || !makesCodes ? nil : RecoveryCode.makeSet()
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
      let added = codes == nil ? [method] : [method, .recoveryCode]
      let names = Set(me.user.factors + added.map(\.name))
      joined.user.factors =
        Proof.Method.seconds.filter(names.contains) + me.user.factors.filter { !Proof.Method.seconds.contains($0) }
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
