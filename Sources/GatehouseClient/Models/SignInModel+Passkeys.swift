import Foundation

extension SignInModel {
  /// Seconds before the end of the options for passkeys at which a form that waits asks for others.
  private static let renewal = 60.0

  /// Whether passkeys sign in here: the policy has them, and so has this device.
  public var takesPasskeys: Bool { client.passkeys != nil && policy?.signsInWithPasskeys == true }

  /// Signs in with a passkey that the system asks for. A question that was closed is no error: the form stays as it is,
  /// and false is returned.
  /// - Parameter former: whether passkeys of the tenant's relying party before are asked for (`hasFormerPasskeys`).
  @discardableResult
  public func submitWithPasskey(former: Bool = false) async -> Bool {
    guard let passkeys = client.passkeys else { return false }
    // The system asks one thing at a time.
    await stopOffering()
    let client = client
    return await enter { () async throws(AuthError) in
      let request = try await client.startPasskeySignIn()
      let asked = former ? request.former ?? request : request
      let passkey: PasskeyAssertion
      do throws(AuthError) {
        passkey = try await passkeys.use(asked)
      } catch {
        hasFormerPasskeys = request.former != nil
        throw error
      }
      _ = try await client.signIn(with: passkey, for: request)
    }
  }

  /// Offers passkeys beside the input for the address, until the person chose one or the task is cancelled: for the
  /// task of a view, begun anew whenever `isWorking` ends. Returns at once where there are none to offer.
  public func offerPasskeys() async {
    guard let passkeys = client.passkeys, passkeys.offersBesideInputs, !isWorking, takesPasskeys else {
      return
    }
    while !Task.isCancelled, let request = try? await client.startPasskeySignIn() {
      guard !isWorking, !Task.isCancelled else { return }
      if let passkey = await choice(of: request, by: passkeys) {
        // The view's task ends as soon as the form works.
        _ = await Task { await self.enter(with: passkey, for: request) }.value
        return
      }
      guard client.configuration.clock.now >= Self.renewalTime(of: request) else { return }
    }
  }

  /// Ends the offer, so that the system can show another question.
  func stopOffering() async {
    guard let offering else { return }
    offering.cancel()
    _ = await offering.value
  }

  /// Tells the system which passkeys the account has, and does not wait for it.
  func tellPasskeys() {
    guard policy?.admitsPasskeys == true else { return }
    let client = client
    Task { await client.reportPasskeys() }
  }

  private static func renewalTime(of request: PasskeyRequest) -> Date {
    request.expires.addingTimeInterval(-renewal)
  }

  /// The passkey that the person chooses; nil where the options have to be renewed first, and where the offer ended.
  private func choice(of request: PasskeyRequest, by passkeys: any PasskeyManager) async -> PasskeyAssertion? {
    let clock = client.configuration.clock
    let rest = Self.renewalTime(of: request).timeIntervalSince(clock.now)
    let offer = Task { try? await passkeys.offer(request) }
    let timer = Task {
      try await clock.sleep(for: .seconds(max(0, rest)))
      offer.cancel()
    }
    offering = offer
    defer {
      timer.cancel()
      if offering == offer { offering = nil }
    }
    return await withTaskCancellationHandler {
      await offer.value
    } onCancel: {
      offer.cancel()
    }
  }

  private func enter(with passkey: PasskeyAssertion, for request: PasskeyRequest) async {
    let client = client
    _ = await enter { () async throws(AuthError) in _ = try await client.signIn(with: passkey, for: request) }
  }

  /// Does the work of a sign-in.
  func enter(_ body: () async throws(AuthError) -> Void) async -> Bool {
    let isDone = await work(body)
    if isDone { tellPasskeys() }
    return isDone
  }
}
