import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehouseServer
import GatehouseWire
import Testing

/// A proof takes every way in which an account changes. A route that writes one has its transition here, or the reason
/// why it has none.
@Suite struct TransitionTests {
  enum Entry {
    case takes([Transition])
    case has(no: String)
  }

  static let routes: [String: Entry] = [
    "POST /v1/password-check": .has(no: "it stores nothing"), "POST /v1/explain": .has(no: "it stores nothing"),
    "POST /v1/attest/challenge": .has(no: "it is about an app"), "POST /v1/attest/keys": .has(no: "it is about an app"),
    "POST /v1/sign-up": .takes([.signUp]), "POST /v1/sign-in": .takes([.signIn]),
    "POST /v1/sign-in/{provider}": .takes([.signUpWith, .signIn, .link, .verifyEmail, .unlink]),
    "POST /v1/sign-in/{provider}/start": .has(no: "the account changes when it is completed"),
    "POST /v1/sign-in/{provider}/complete": .takes([.signUpWith, .signIn, .link, .verifyEmail, .unlink]),
    "POST /v1/mfa/verify": .takes([.signIn, .link]),
    "POST /v1/passkeys/sign-up/start": .has(no: "the account is made when it is completed"),
    "POST /v1/passkeys/sign-up/complete": .takes([.signUp]),
    "POST /v1/passkeys/sign-in/start": .has(no: "it stores nothing of an account"),
    "POST /v1/passkeys/sign-in/complete": .takes([.signIn]),
    "POST /v1/passkeys/register/start": .has(no: "the account changes when it is completed"),
    "POST /v1/passkeys/register/complete": .has(no: "it is about a second factor"),
    "POST /v1/reauthenticate/start": .has(no: "it is about a session"),
    "POST /v1/me/factors/totp": .has(no: "the account changes when it is confirmed"),
    "POST /v1/me/factors/totp/confirm": .has(no: "it is about a second factor"),
    "PATCH /v1/me/factors/{id}": .has(no: "it is about a name"),
    "DELETE /v1/me/factors/{id}": .has(no: "it is about a second factor"),
    "POST /v1/me/recovery-codes": .has(no: "it is about a second factor"),
    "POST /v1/token": .has(no: "it is about a session"), "POST /v1/reauthenticate": .has(no: "it is about a session"),
    "POST /v1/reauthenticate/code": .has(no: "it is about a session"),
    "POST /v1/sign-out": .takes([.endGrant]), "PATCH /v1/me": .takes([.updateProfile]),
    "DELETE /v1/me": .has(no: "no account is left"), "PUT /v1/me/presence": .has(no: "no rule reads presence"),
    "DELETE /v1/me/sessions/{id}": .takes([.endGrant]),
    "PUT /v1/me/sessions/current/push-token": .has(no: "it is about a device"),
    "POST /v1/me/links/{provider}": .has(no: "the account changes when it is completed"),
    "POST /v1/me/links/{provider}/complete": .takes([.link]),
    "POST /v1/me/links/{provider}/token": .takes([.endGrant]),
    "DELETE /v1/me/links/{provider}": .takes([.unlink]), "POST /v1/me/password": .takes([.setPassword]),
    "POST /v1/me/email": .has(no: "the account changes when it is confirmed"),
    "POST /v1/email-change/confirm": .takes([.changeEmail]),
    "POST /v1/email-change/undo": .has(no: "the address is one that the account had"),
    "POST /v1/email-verification": .has(no: "the account changes when it is confirmed"),
    "POST /v1/email-verification/confirm": .takes([.verifyEmail]),
    "POST /v1/password-reset": .takes([.resetPassword]), "POST /v1/password-reset/confirm": .takes([.resetPassword]),
    "PATCH /v1/users/{id}": .takes([.adminUpdate]),
  ]

  static let operations: [String: Entry] = [
    "POST /tenants/{tenant}/users": .takes([.adminCreate]),
    "PATCH /tenants/{tenant}/users/{user}": .takes([.adminUpdate]),
    "POST /tenants/{tenant}/users/{user}/verify-email": .takes([.verifyEmail]),
    "DELETE /tenants/{tenant}/users/{user}": .has(no: "no account is left"),
    "POST /tenants/{tenant}/users/{user}/erase": .has(no: "no account is left"),
    "POST /tenants/{tenant}/users/{user}/send-reset": .has(no: "the account changes when it is done"),
    "POST /tenants/{tenant}/users/{user}/mfa-reset": .has(no: "it is about second factors"),
    "POST /tenants/{tenant}/users/{user}/unlock": .has(no: "it is about failed sign-ins"),
    "DELETE /tenants/{tenant}/users/{user}/sessions": .takes([.endGrant]),
  ]

  /// Transitions without a route today: doors that files have rules for, and time.
  static let others: Set<Transition> = [.invite, .import, .nextDay]

  @Test func everyRouteThatWritesHasItsTransition() {
    let writing = Routes.all.filter { $0.method != .get }.map { "\($0.method.rawValue) \($0.path)" }
    #expect(Set(writing) == Set(Self.routes.keys))
    let ofUsers = AdminRoutes.all.filter { $0.method != .get && $0.path.contains("/users") }
    #expect(Set(ofUsers.map { "\($0.method.rawValue) \($0.path)" }) == Set(Self.operations.keys))
  }

  @Test func aRouteThatNamesADoorTakesItsTransition() {
    for route in Routes.all {
      guard let door = route.attests else { continue }
      guard case .takes(let transitions) = Self.routes["\(route.method.rawValue) \(route.path)"] else {
        Issue.record("\(route.path) has no transition")
        continue
      }
      #expect(transitions.contains { $0.door == door }, "\(route.path)")
    }
  }

  @Test func everyTransitionHasARouteOrIsNamed() {
    let taken = (Array(Self.routes.values) + Array(Self.operations.values)).flatMap { entry -> [Transition] in
      if case .takes(let transitions) = entry { transitions } else { [] }
    }
    #expect(Set(taken).union(Self.others) == Set(Transition.allCases))
  }
}
