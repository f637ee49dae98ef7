// Undoing a change of address. The former address wins, even over proofs and resets at the new one since:
// the account may have been moved by a thief, and the way back is all that its owner has.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum UndoEmailChange {
  /// Seconds in which the address that was left can undo the change, and is reserved for its account.
  static let seconds: Int64 = 86_400

  /// Moves the account back to the address that got the link. Refuses `code_invalid`, `code_expired` or `code_used`.
  package static func run(_ input: UndoEmailChangeEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> Nothing
  {
    let redeemed = try await Redemption.find(token: input.token, for: [.undoEmailChange], call, services)
    guard let id = redeemed.code.user else { throw Refusal(.codeInvalid) }
    do {
      try await restore(id, redeemed, call, services)
    } catch StoreError.emailTaken {
      throw Refusal(.conflict)
    }
    return Nothing()
  }

  /// The mail to the address that is left. An address that was proven gets the link, and is reserved while the link
  /// lives; the owner of one that was not is unknown.
  static func offer(_ user: StoredUser, to newEmail: String, _ call: Call, _ services: Services) throws -> [Change] {
    guard
      user.emailVerifiedAt != nil,  // GUARD: undo: an unproven address gets no way back
      let email = user.email
    else {
      return try Messaging.notice(.changeEmailNotice, to: user, call, services)
    }
    var request = CodeRequest(
      .undoEmailChange, .changeEmailNotice, to: .email(email), user: user.id, linkTTL: seconds)
    request.only = .link
    request.bounds = .none
    request.newEmail = newEmail
    return try Messaging.code(request, call, services).changes
  }

  /// Moves the account back, ends its sessions, and removes what was added since the change. Everything older stays.
  /// `first`: further changes at the beginning of the commit.
  static func restore(
    _ id: UserID, _ redeemed: Redeemed, with first: [Change] = [], _ call: Call, _ services: Services
  ) async throws {
    try await Redemption.settle(redeemed, about: id, call, services) { user in
      let code = redeemed.code
      let later = user.links.filter { $0.linkedAt > code.createdAt }
      var changes: [Change] =
        first + [
          .user(.setEmail(id, email: code.destination.value)), .user(.noteMailProof(id)),
          .session(.endAll(id, except: nil, .revoked)),
          .user(.removeAdditions(id, since: code.createdAt)),
          .code(.void(id, by: .emailChangeUndone)),
          // GUARD: undo: voids later ways back
          .code(.voidUndos(id, from: code.id, code.createdAt)),
          .audit(call.entry(.emailChangeUndone, services, actor: .user(id), user: id)),
        ] + call.unlinked(later, of: id, "email_change_undone", services)
      // The address that is left hears of it, as the other one did.
      if user.email != code.destination.value {
        changes += try Messaging.notice(.changeEmailUndone, to: user, call, services)
      }
      if user.disabledAt == nil, call.policy.hasPassword, !user.hasWayIn(from: code.createdAt, call.policy) {
        var reset = CodeRequest(
          .setPassword, .resetPassword, to: code.destination, user: id,
          linkTTL: PasswordReset.linkTTL(call.policy))
        // No requester was told the id that digits need.
        reset.only = .link
        reset.bounds = .none
        changes += try Messaging.code(reset, call, services).changes
      }
      return changes
    }
  }
}

extension StoredUser {
  /// Whether something that was there at this moment still signs the person in.
  fileprivate func hasWayIn(from moment: Date, _ policy: Policy) -> Bool {
    if let set = passwordChangedAt, set <= moment, policy.hasPassword { return true }
    return links.contains { $0.linkedAt <= moment && policy.signInProviders.contains($0.provider) }
  }
}
