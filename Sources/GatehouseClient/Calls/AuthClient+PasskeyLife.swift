import Foundation
import GatehouseWire

extension AuthClient {
  /// Begins a sign-up with a passkey. The address is the name that the passkey is shown by; nil where it is asked for
  /// together with the passkey. Throws `notFound` where the policy has no sign-up by passkeys, and
  /// `passkeysUnavailable` where the server has none for this tenant.
  public func startPasskeySignUp(email: String? = nil) async throws(AuthError) -> PasskeyCreation {
    let answer = try await anonymous(StartPasskeySignUpEndpoint.self, .init(email: email)).content
    return PasskeyCreation(id: answer.challengeID, options: answer.publicKey, expires: end(in: answer.expiresIn))
  }

  /// Makes an account with a passkey and signs in, or begins to wait until the address is confirmed (`awaitingEmail`),
  /// as `signUp(email:password:profile:)` does; `name` is that of the passkey in the list of factors. After
  /// `validationFailed` and `accountExists` the same passkey is taken once more, with other values. After `codeExpired`
  /// the sign-up begins again; so does one whose call had no answer, for it is not sent again.
  @discardableResult
  public func signUp(
    with passkey: PasskeyRegistration, for creation: PasskeyCreation, email: String, profile: Profile = [:],
    name: String? = nil
  ) async throws(AuthError) -> AuthState {
    let input = CompletePasskeySignUpEndpoint.Input(
      challengeID: creation.id, credential: passkey.answer, email: email, profile: profile.mapValues(\.wire),
      name: name, device: await device())
    let answer = try await atDoor(.signUp, CompletePasskeySignUpEndpoint.self, input)
    switch answer.content {
    case .signedIn(let session): return try await keeper.adopt(answer.with(session))
    case .pending(let pending):
      return await keeper.wait(for: PendingSignUp(email: email, signUpID: pending.signUpID))
    }
  }

  /// Adds a passkey without a question to the account of a person who signed in with a password just now, where the
  /// policy offers one (`AuthOffer.addPasskey`) and the system agrees. It asks once for each sign-in, and says nothing
  /// where there is no passkey in the end: nil then. The first factor comes with recovery codes, which are shown this
  /// once.
  @discardableResult
  public func upgradeToPasskey() async -> AddedFactor? {
    start()
    guard let passkeys, offers.contains(.addPasskey), await keeper.takeUpgrade() else {
      return nil
    }
    do throws(AuthError) {
      let creation = try await startPasskey()
      let added = try await addPasskey(try await passkeys.upgrade(creation), for: creation)
      await reportPasskeys()
      return added
    } catch {
      return nil
    }
  }

  /// Tells the person's passkey manager which passkeys the account has, and its name: after a sign-in, another address,
  /// and a passkey that was removed elsewhere. It says nothing where that fails.
  public func reportPasskeys() async {
    guard passkeys != nil else { return }
    _ = try? await factorsReported()
  }

  /// The factors, after the person's passkey manager was told of them. One list comes after another: an older one would
  /// hide a passkey that is new.
  func factorsReported() async throws(AuthError) -> SecondFactors {
    guard let passkeys else { return try await factors() }
    guard await reports.take(within: Requests.deadline) else { throw await keeper.own(.cancelled) }
    defer { reports.pass() }
    let list = try await factors()
    if let accepted = list.accepted { await passkeys.report(accepted) }
    return list
  }
}

extension SessionKeeper {
  /// Whether the session was opened in this process by a sign-in that a passkey may follow, and none was asked for
  /// since.
  func takeUpgrade() -> Bool {
    defer { upgradable = nil }
    return upgradable != nil && upgradable == session?.generation
  }
}
