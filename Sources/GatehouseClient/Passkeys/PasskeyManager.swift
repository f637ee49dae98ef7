/// The passkeys that a person has at hand: the system's, by its screens, or those of a test.
///
/// Models and screens ask the one of `AuthConfiguration.passkeys`. Each call throws `cancelled` where the person closed
/// the question, and where there is no passkey that could answer.
@MainActor
public protocol PasskeyManager: Sendable {
  /// Makes a passkey, for `AuthClient.addPasskey(_:for:name:)`.
  func make(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration

  /// Lets the person use a passkey: for a sign-in, a second step or a fresh proof.
  func use(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion

  /// Whether `offer(_:)` can wait for the person beside an input.
  var offersBesideInputs: Bool { get }

  /// Offers passkeys beside an input for a name, and waits until the person chooses one or the task is cancelled.
  func offer(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion

  /// Makes a passkey without a question, where the system agrees: for a person who signed in with a password just now.
  func upgrade(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration

  /// Asks for what a new account needs and makes its passkey, all in one question; nil where the system has no such
  /// question, so that the app's own form asks. `creation` names no account.
  func makeAccount(_ creation: PasskeyCreation, asksForName: Bool) async throws(AuthError) -> PasskeyAccount?

  /// Tells which passkeys the account has, so that those that were removed are offered no more.
  func report(_ accepted: AcceptedPasskeys) async
}

/// A source of passkeys that only makes and uses them.
extension PasskeyManager {
  /// It does not.
  public var offersBesideInputs: Bool { false }

  /// There is nothing to choose.
  public func offer(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
    throw AuthError(.cancelled)
  }

  /// The person has to be asked.
  public func upgrade(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
    throw AuthError(.cancelled)
  }

  /// The app's own form asks.
  public func makeAccount(_ creation: PasskeyCreation, asksForName: Bool) async throws(AuthError) -> PasskeyAccount? {
    nil
  }

  /// No one is told.
  public func report(_ accepted: AcceptedPasskeys) async {}
}

/// The answers to the system's question for a new account.
public struct PasskeyAccount: Sendable, Hashable {
  /// The new passkey.
  public var passkey: PasskeyRegistration
  /// The address that the person chose.
  public var email: String
  /// The person's name, where it was asked for.
  public var name: String?

  /// The answers.
  public init(passkey: PasskeyRegistration, email: String, name: String? = nil) {
    (self.passkey, self.email, self.name) = (passkey, email, name)
  }
}

/// It names a person: it shows nothing.
extension PasskeyAccount: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "PasskeyAccount(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
