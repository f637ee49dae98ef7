import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The one end of every way in: what was proven becomes a session, in one commit with everything that the way in
/// writes. No position in the code signs an account in, only proofs do.
struct Completion {
  /// The account that is signed in.
  enum Account {
    /// One that exists. It may have second factors.
    case known
    /// One that its owner takes back in this commit: nothing that was put there before opens it any more.
    case reclaimed
    /// One that this commit makes.
    case new(NewAccount)
  }

  /// The writes of a sign-up besides the account.
  struct NewAccount {
    /// A mail that its limits may keep back.
    var mail: [Change] = []
    /// Counters, which come last.
    var counters: [Change] = []
    /// Whether the answer is kept for the request's key.
    var keepsAnswer = false
  }

  let account: Account
  let proofs: Proofs
  /// The account as it is after the commit.
  let user: StoredUser
  /// The decision of the door that the account passed.
  let decision: Decision
  let device: PresentedDevice
  /// The provider that vouched for the user, by the policy's name.
  var provider: String?
  /// Further details of the audit row of a sign-in.
  var details: [String: String] = [:]
  /// The hash of the password that was right, if one was checked: the session begins only while that one is stored.
  var password: String?
  /// The authority of the commit.
  var authority = Authority.anonymous
  /// The changes of the first proof that are written before the session.
  var beforeSession: [Change] = []
  /// The changes of the first proof that are written after the session, and so behind the account's lock.
  var afterSession: [Change] = []
  /// The effects that need every proof that is asked for.
  var effects: [SignInEffect] = []

  /// Opens the session. Refuses `mfa_required`, with a challenge, where another proof is asked for: the sign-in waits
  /// for it then. Throws the store's refusals; the way in knows what each of them means there.
  /// - Parameter demand: the methods of which one is asked for; nil for what `SecondProof` says.
  func open<Opened: OpenedSession>(
    demanding demand: [Proof.Method]? = nil, _ call: Call, _ services: Services
  ) async throws -> Opened {
    guard
      proofs.user == user.id,  // GUARD: completion: proofs of this account
      proofs.tenant == call.tenant.id  // GUARD: completion: proofs of this tenant
    else { throw Refusal(.forbidden) }
    let asked = demand ?? SecondProof.demand(of: user.facts, beside: proofs)
    if case .known = account, !asked.isEmpty {
      throw try await suspended(asking: asked, for: Opened.client(call), call, services)
    }
    let opening = Opening(self, for: Opened.client(call), call, services)
    let opened = try Opened(opening)
    let store = services.store.open(call.tenant.id)
    let changes =
      beforeSession + (try effects.flatMap { try $0.changes(for: user, call, services) })
      + opening.changes(under: password) + afterSession
    let exceptions = call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id)
    switch account {
    case .known, .reclaimed:
      try await store.commit(
        changes + exceptions + [succeeded(in: opening.session, call, services)]
          + Messaging.newDevice(device, to: user, call, services), as: authority)
    case .new(let new):
      let kept =
        new.keepsAnswer
        ? try call.keeping(opened.signUpAnswer, status: SignUpEndpoint.status, about: user.id) : []
      try await store.commit(changes + kept + exceptions, optional: new.mail, then: new.counters, as: authority)
    }
    return opened
  }

  private func succeeded(in session: Session, _ call: Call, _ services: Services) -> Change {
    var details = details
    details["method"] = details["method"] ?? proofs.newest.method.reference
    details["provider"] = provider
    details["device"] = device.isKnown ? "known" : "new"
    return .audit(
      call.entry(
        .signInSucceeded, services, actor: .user(user.id), user: user.id, session: session.id, details: details))
  }

  /// Joins fresh proofs to a session that is open, in one commit with `changes` and the use of a `code`. The session as
  /// it is then. Refuses `forbidden` for proofs of another account, and throws the store's refusals.
  static func join(
    _ fresh: Proofs, to session: Session, of caller: SignedIn, with changes: [Change], using code: Redeemed?,
    _ call: Call, _ services: Services
  ) async throws -> Session {
    var joined = session
    joined.proofs = try session.proofs.joined(by: fresh)
    let all: [Change] =
      changes + [
        .session(.reauthenticate(session.id, joined.proofs, seen: session.proofs)),
        .audit(
          call.entry(
            .reauthenticated, services, actor: .user(session.user), user: session.user, session: session.id,
            details: ["method": fresh.newest.method.reference])),
      ]
    if let code {
      try await Redemption.commit(code, all, as: caller.proven, call, services)
    } else {
      try await services.store.open(call.tenant.id).commit(all, as: caller.proven)
    }
    return joined
  }
}
