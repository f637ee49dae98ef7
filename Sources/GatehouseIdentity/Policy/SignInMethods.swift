import GatehousePolicy
import GatehouseWire

/// The ways to sign in that a policy has.
extension Policy {
  /// Providers that sign people in, by name.
  var signInProviders: [String] { signInMethods.filter { $0 != "password" } }

  /// The same with `password`, where that door is open.
  var signInMethods: [String] { providers.filter { $0.use == .signIn }.map(\.name) }

  /// Refuses `not_found` where the password door is closed, as for a path that does not exist: before anything is
  /// looked up, counted or hashed, so that the answer says nothing of an account.
  func demandPassword() throws {
    guard hasPassword else { throw Refusal(.notFound) }
  }
}
