// The end of a sign-up, whichever credential it brings.

import Foundation
import GatehousePolicy
import GatehouseWire

extension SignUp {
  /// A form that passed its door, and the credential of its account.
  struct Form {
    var id: UserID
    var email: String
    var credential: NewCredential
    var decision: Decision
    var device: Device?
    /// The use of what the form rests on. It comes first in the commit that makes the account, or that keeps the
    /// sign-up until its address is proven.
    var taking: [Change] = []
  }
}

extension SignUp.Form {
  /// Makes the account, or keeps the sign-up until its address is proven, as the tenant reveals or hides which
  /// addresses have accounts.
  func open<Opened: OpenedSession>(
    _ count: SignUpCount, _ call: Call, _ services: Services
  ) async throws -> SignUp.Outcome<Opened> {
    switch call.policy.privacy.accountExists {
    case .reveal: return try await .opened(make(count, call, services))
    case .hide:
      try await services.store.open(call.tenant.id).commit(call.exceptionsUsed(decision, services), as: .anonymous)
      let id = services.clock.makeID()
      let pause = try await HiddenSignUp.begin(id, self, SignUp.pending(id, call), count, call, services)
      return .pending(id, pause: pause)
    }
  }

  /// The account as this form describes it.
  func user(_ call: Call) -> StoredUser {
    credential.applied(
      to: StoredUser(
        id: id, email: email, profile: decision.normalised.profile, createdAt: call.now, updatedAt: call.now),
      at: call.now)
  }

  private func make<Opened: OpenedSession>(
    _ count: SignUpCount, _ call: Call, _ services: Services
  ) async throws -> Opened {
    let user = user(call)
    let mail =
      call.policy.verification.email.onSignUp ? try Messaging.verification(of: user, isNew: true, call, services) : []
    let completion = Completion(
      account: .new(.init(mail: mail, counters: count.made, keepsAnswer: true)),
      proofs: credential.proofs(of: user.id, call), user: user, decision: decision,
      device: .new(name: DeviceName.of(device, call), of: user.id, call, services),
      beforeSession: taking + [
        .user(.insert(user, unique: UniqueValues.of(user.profile, call.policy)))
      ] + credential.changes(of: user.id, call, services) + [
        .limit(.clearFailures(SignInKey(call.tenant, of: user))),
        .audit(call.entry(.userCreated, services, actor: .user(user.id), user: user.id)),
      ])
    do {
      return try await completion.open(call, services)
    } catch let error as StoreError {
      throw SignUp.refusal(error, call)
    }
  }
}

extension SignUp {
  /// The refusal of a commit that makes an account, or keeps a sign-up.
  static func refusal(_ error: StoreError, _ call: Call) -> Refusal {
    switch error {
    case .refused(.ticketIsLive): Refusal(.codeExpired)
    case .exists: AddPasskey.taken
    default: UniqueValues.refusal(error, call) ?? Refusal(error)
    }
  }
}
