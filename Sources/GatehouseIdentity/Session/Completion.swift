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
  /// A second factor that was used on the device before joins them when the session opens.
  var proofs: Proofs
  /// The account as it is after the commit.
  let user: StoredUser
  /// The decision of the door that the account passed.
  var decision: Decision
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
    var completion = self
    if case .known = account {
      var asked = try demand ?? SecondProof.demand(of: user.facts, beside: proofs, call.policy, at: call.now)
      if !asked.isEmpty, let used = SecondProof.remembered(device, call) {
        completion.proofs = proofs.remembering(deviceSince: used)
        completion.details["second"] = Proof.Method.rememberedDevice.name
        asked = try SecondProof.demand(of: user.facts, beside: completion.proofs, call.policy, at: call.now)
      }
      if !asked.isEmpty { throw try await suspended(asking: asked, for: Opened.client(call), call, services) }
    }
    // The demands on a session are judged when its proofs are complete.
    if call.policy.mfa != nil {
      let standing = call.policy.access(of: user.facts, in: completion.proofs.facts, at: call.now)
      completion.decision.next += standing.next.filter { !decision.next.contains($0) }
      if standing.access == .limited { completion.decision.access = .limited }
    }
    let opening = Opening(completion, for: Opened.client(call), call, services)
    let opened = try Opened(opening)
    let store = services.store.open(call.tenant.id)
    let changes =
      beforeSession + (try effects.flatMap { try $0.changes(for: user, call, services) })
      + opening.changes(under: password) + call.policy.asking(user, at: call.now) + afterSession
    let exceptions = call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id)
    switch account {
    case .known, .reclaimed:
      // Of these only a second proof at a page has a key: its form may come twice, and the proof counts once.
      let kept = try call.keeping(opened, status: VerifyFactorEndpoint.status, about: user.id)
      try await store.commit(
        changes + kept + exceptions + [completion.succeeded(in: opening.session, call, services)]
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
}
