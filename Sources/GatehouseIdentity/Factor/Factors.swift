// The second factors of the caller's account, and what its owner changes of them.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum Factors {
  package static func list(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> ListFactorsEndpoint.Output
  {
    let me = try await call.signedIn(services)
    let stored = try await services.store.open(call.tenant.id).factors(of: me.user.id)
    var answer = ListFactorsEndpoint.Output(stored)
    answer.signal = (try? PasskeyCeremony(call))?.signal(of: me.user, having: stored.passkeys)
    answer.required = call.policy.demandsFactor(of: me.user, at: call.now)
    answer.due = call.policy.factorDue(of: me.user.facts, at: call.now).map { Timestamp($0) }
    return answer
  }

  /// Refuses `not_found` for a factor that is not the caller's.
  package static func rename(_ input: RenameFactorEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> FactorRecord
  {
    let me = try await call.signedIn(services)
    let store = services.store.open(call.tenant.id)
    guard let id = UUID(uuidString: input.id),
      var factor = FactorRecord.all(try await store.factors(of: me.user.id)).first(where: { $0.id == id.text })
    else { throw Refusal(.notFound) }
    factor.name = FactorName.stored(input.name)
    do {
      try await store.commit(
        [.factor(.rename(id, of: me.user.id, factor.name))], as: .caller(me, restingOn: .session))
    } catch StoreError.refused(.factorExists) {
      throw Refusal(.notFound)
    }
    return factor
  }

  /// Removes a factor; with the last one the recovery codes go. Other sessions that no other second factor proved end.
  /// Refuses `not_found`, `reauthentication_required` without a fresh proof, and `last_sign_in_method` for a passkey
  /// without which nothing would let the person in.
  package static func remove(_ input: RemoveFactorEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> Nothing
  {
    let me = try await call.signedIn(services)
    // GUARD: factor: removed by a fresh proof
    try me.demandFreshProof(for: .factors, call, services)
    let store = services.store.open(call.tenant.id)
    let stored = try await store.factors(of: me.user.id)
    guard let id = UUID(uuidString: input.id),
      let factor = FactorRecord.all(stored).first(where: { $0.id == id.text })
    else { throw Refusal(.notFound) }
    let isLost = input.lost == true
    let parties = call.partiesOfWaysIn
    let wasWayIn = stored.passkeys.contains { $0.id == id && parties.contains($0.rpID) }
    // GUARD: factor: the last way in
    let remaining: [Change] =
      wasWayIn
      ? [.provider(.requireSignInMethod(me.user.id, among: call.policy.signInMethods, passkeysOf: parties))] : []
    do {
      try await store.commit(
        [.factor(.remove(id, of: me.user.id))] + remaining + [
          .session(.endLifted(me.user.id, by: id, except: me.session.id)),
          .audit(
            call.entry(
              .factorRemoved, services, actor: .user(me.user.id), user: me.user.id, session: me.session.id,
              details: ["kind": factor.type].merging(isLost ? ["lost": "true"] : [:]) { own, _ in own })),
        ] + (try Messaging.notice(isLost ? .factorLost : .factorRemoved, to: me.user, call, services)), as: me.proven)
    } catch StoreError.refused(.factorExists) {
      throw Refusal(.notFound)
    } catch StoreError.refused(.signInMethodRemains) {
      throw Refusal(.lastSignInMethod)
    }
    return Nothing()
  }
}

extension PasskeyCeremony {
  /// The state of the account's passkeys, for the person's passkey manager.
  fileprivate func signal(of user: StoredUser, having passkeys: [Passkey]) -> PasskeySignal {
    PasskeySignal(
      rpID: party.id, userID: handle(of: user.id), accepted: named(passkeys, of: party).map(\.id),
      userName: user.reference)
  }
}

extension ListFactorsEndpoint.Output {
  package init(_ stored: StoredFactors) {
    self.init(items: FactorRecord.all(stored), recoveryCodes: RecoveryCodeCount(left: stored.codesLeft))
  }
}

extension FactorRecord {
  /// The factors of an account, oldest first.
  package static func all(_ stored: StoredFactors) -> [FactorRecord] {
    (stored.apps.map(FactorRecord.init) + stored.passkeys.map(FactorRecord.init)).sorted {
      $0.createdAt.date < $1.createdAt.date
    }
  }

  package init(_ app: AuthenticatorApp) {
    self.init(
      id: app.id.text, type: Proof.Method.totp.name, name: app.name, createdAt: Timestamp(app.createdAt),
      lastUsedAt: app.lastUsedAt.map(Timestamp.init))
  }
}

/// The name that an owner gives a factor.
enum FactorName {
  /// As one line; nil where nothing of it can be seen.
  static func stored(_ given: String?) -> String? { given.flatMap { Decoration.line($0, longest: DeviceName.longest) } }
}
