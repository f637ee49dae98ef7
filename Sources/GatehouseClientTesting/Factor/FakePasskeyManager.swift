public import GatehouseClient

/// The passkeys that a person has on a device, in memory: `configuration.passkeys = FakePasskeyManager()`. It answers
/// at once, as a person who agrees does, unless a test says otherwise.
@MainActor
public final class FakePasskeyManager: PasskeyManager {
  /// The passkeys, oldest first. The newest that fits is used.
  public var passkeys: [FakePasskey]
  /// Whether the person closes each question.
  public var closesQuestions = false
  /// Whether each question fails, as for an app that is not associated with the domain.
  public var failsQuestions = false
  /// Whether passkeys are made without a question.
  public var agreesToUpgrades = true
  /// The answers to the question for a new account, besides the passkey; nil: this system has no such question.
  public var account: (email: String, name: String?)?
  /// Whether passkeys can be offered beside an input.
  public var offersBesideInputs = false
  /// Reports of accepted passkeys, oldest first.
  public private(set) var reports: [AcceptedPasskeys] = []
  /// How many questions were asked.
  public private(set) var questions = 0
  /// The offers that wait for the person's choice.
  private var offers: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var lastOffer = 0

  /// A device with these passkeys.
  public nonisolated init(_ passkeys: [FakePasskey] = []) { self.passkeys = passkeys }

  /// Whether passkeys are offered beside an input, and the person did not choose yet.
  public var isOffering: Bool { !offers.isEmpty }

  /// The person chooses the passkey that is offered.
  public func choose() {
    let waiting = offers.values
    offers = [:]
    for offer in waiting { offer.resume(returning: true) }
  }

  /// Makes a passkey, and keeps it.
  public func make(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
    try ask()
    return made(creation)
  }

  /// Uses the newest passkey of those that are asked for.
  public func use(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
    try ask()
    return try used(request)
  }

  /// Waits for `choose()`, and uses the newest passkey then.
  public func offer(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
    guard offersBesideInputs else { throw AuthError(.cancelled) }
    lastOffer += 1
    let id = lastOffer
    let isChosen = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume(returning: false) } else { offers[id] = continuation }
      }
    } onCancel: {
      Task { await self.end(id) }
    }
    guard isChosen else { throw AuthError(.cancelled) }
    return try used(request)
  }

  /// Makes a passkey, where the device agrees.
  public func upgrade(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
    guard agreesToUpgrades else { throw AuthError(.cancelled) }
    return made(creation)
  }

  /// Answers with `account` and a new passkey.
  public func makeAccount(_ creation: PasskeyCreation, asksForName: Bool) async throws(AuthError) -> PasskeyAccount? {
    guard let account else { return nil }
    try ask()
    return PasskeyAccount(passkey: made(creation), email: account.email, name: asksForName ? account.name : nil)
  }

  /// Keeps the report.
  public func report(_ accepted: AcceptedPasskeys) async { reports.append(accepted) }

  private func end(_ id: Int) { offers.removeValue(forKey: id)?.resume(returning: false) }

  private func ask() throws(AuthError) {
    questions += 1
    if closesQuestions { throw AuthError(.cancelled) }
    if failsQuestions { throw AuthError(.unknown) }
  }

  private func made(_ creation: PasskeyCreation) -> PasskeyRegistration {
    let passkey = FakePasskey(for: creation)
    passkeys.append(passkey)
    return passkey.registration(for: creation)
  }

  private func used(_ request: PasskeyRequest) throws(AuthError) -> PasskeyAssertion {
    let fitting = passkeys.last { passkey in
      (passkey.relyingParty ?? request.relyingParty) == request.relyingParty
        && (request.allowedCredentials.isEmpty || request.allowedCredentials.contains(passkey.credentialID))
    }
    guard let fitting else { throw AuthError(.cancelled) }
    return fitting.assertion(for: request)
  }
}
