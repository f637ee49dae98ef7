import Foundation
package import GatehousePolicy

/// An account as a proof knows it: the stored facts that decide anything, and the ways in.
struct Account: Hashable, Sendable {
  /// As it is stored; nil where the account has none.
  var email: String?
  var emailVerified = false
  var profile: [String: FieldValue] = [:]
  /// The granted scopes by provider.
  var links: [String: [String]] = [:]
  var hasPassword = false
  /// Whether a passkey made it, which signs in as well.
  var hasPasskey = false
  var mustChangePassword = false
  /// Whether the owner came by a provider or an invitation, who are asked for required fields later.
  var isOpenEntry = false

  /// For the evaluator. Each user can add a second factor, so that no proof is about accounts that lack one.
  var stored: StoredFacts {
    StoredFacts(
      email: email, emailVerified: emailVerified, profile: profile, links: links,
      factors: Factor.allCases.map(\.rawValue), enteredBy: isOpenEntry ? .invite : .signUp,
      mustChangePassword: mustChangePassword)
  }
}

/// An account on a day, or that there is none yet.
struct Situation: Hashable, Sendable {
  var account: Account?
  /// The index into the days of the search.
  var day: Int
}

/// One step of a chain: what is asked for, without the values that every step of its kind has.
struct Step: Sendable {
  let transition: Transition
  /// The address of the request or of the provider.
  var email: String?
  /// Profile values of the request; nil leaves a field out that has a value by default.
  var values: [String: FieldValue?] = [:]
  var provider = ""
  var scopes: [String] = []
  /// Whether the provider, or the operator who imports, says that the address is proven.
  var isVouched = false
}

/// Every way in which an account comes into being or changes. A route that writes an account is one of them
/// (`TransitionTests`).
package enum Transition: String, Sendable, CaseIterable {
  case signUp = "sign_up"
  case signUpWith = "sign_up_with"
  case adminCreate = "admin_create"
  case invite
  case `import`
  case signIn = "sign_in"
  case verifyEmail = "verify_email"
  case changeEmail = "change_email"
  case updateProfile = "update_profile"
  case adminUpdate = "admin_update"
  case setPassword = "set_password"
  case resetPassword = "reset_password"
  case link
  case unlink
  /// The provider takes its grant back.
  case endGrant = "end_grant"
  /// Time passes until the next day at which the policy changes by itself.
  case nextDay = "next_day"

  /// The door that judges it; nil where the policy has no say.
  package var door: Door? {
    switch self {
    case .signUp: .signUp
    case .signUpWith: .federatedSignUp
    case .adminCreate: .adminCreate
    case .invite: .invite
    case .import: .import
    case .signIn: .signIn
    case .changeEmail: .changeEmail
    case .updateProfile: .updateProfile
    case .adminUpdate: .adminUpdate
    case .setPassword: .setPassword
    case .resetPassword: .resetPassword
    case .link: .link
    case .verifyEmail, .unlink, .endGrant, .nextDay: nil
    }
  }

  /// Those who take the step. A person who comes by a provider is a user as well.
  var writers: Set<Statement.Writer> {
    switch self {
    case .verifyEmail: [.user, .admin]
    case .signUp, .signIn, .changeEmail, .updateProfile, .setPassword, .resetPassword, .unlink: [.user]
    case .signUpWith, .link: [.user, .provider]
    case .endGrant: [.provider]
    case .adminCreate, .adminUpdate, .invite, .import: [.admin]
    case .nextDay: []
    }
  }

  var createsAccount: Bool { [.signUp, .signUpWith, .adminCreate, .invite, .import].contains(self) }

  /// Whether an operator takes the step.
  var isOperators: Bool { writers == [.admin] }
}
