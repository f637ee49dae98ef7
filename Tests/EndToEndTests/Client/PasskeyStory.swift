import Foundation
import GatehouseClient
import Testing

/// A passkey, as a story uses it.
struct StoryPasskey {
  let registration: (PasskeyCreation) throws -> PasskeyRegistration
  let assertion: (PasskeyRequest) throws -> PasskeyAssertion
}

/// A person's life with a passkey, told by outcomes alone: the same words at every server that keeps the contract.
struct PasskeyStory {
  /// A device that was never used.
  let device: () throws -> AuthClient
  /// A new passkey for the account of the options.
  let make: (PasskeyCreation) throws -> StoryPasskey
  /// Lets seconds pass at the server and on the devices.
  let wait: (Double) async -> Void

  private static let email = "al@example.com"
  private static let password = "Quilted-Harbour-2031!"

  private typealias Step = (String, () async throws -> String) async -> Void

  /// Every step with its outcome, in order.
  func told() async throws -> [String] {
    var lines: [String] = []
    func step(_ name: String, _ body: () async throws -> String) async {
      do { lines.append("\(name): \(try await body())") } catch {
        guard let error = error as? AuthError else { return lines.append("\(name): \(error)") }
        let asked = error.challenge.map { " \($0.factors.map(\.rawValue))" } ?? ""
        let next = error.passkey == nil ? "" : ", with options"
        lines.append("\(name): \(error.code)\(asked) \(error.methods.map(\.rawValue))\(next)")
      }
    }
    let (phone, tablet) = (try device(), try device())
    _ = try await phone.signUp(email: Self.email, password: Self.password, profile: ["displayName": "Al"])
    let (passkey, other) = try await enrolment(phone, step)
    try await secondStep(tablet, passkey, step)
    try await signIn(tablet, passkey, other, step)
    try await proofs(tablet, passkey, other, step)
    try await end(tablet, phone, step)
    return lines
  }

  private func enrolment(_ phone: AuthClient, _ step: Step) async throws -> (StoryPasskey, StoryPasskey) {
    await step("factors that may be added") { "\(try await phone.policy().factors.map(\.rawValue))" }
    await step("ways to a proof") {
      let ways = try await phone.startReauthentication()
      return "\(ways.methods.map(\.rawValue)) \(ways.passkey == nil)"
    }
    await wait(600)
    await step("an old proof") { try await phone.startPasskey().userName }
    try await phone.reauthenticate(.password(Self.password))
    let (first, second) = (try await phone.startPasskey(), try await phone.startPasskey())
    await step("options") {
      "\(second.userName) \(second.displayName) \(second.excludedCredentials.count) \(second.userVerification) "
        + "\(second.attestation) \(second.challenge.count) \(second.algorithms.contains(-7))"
    }
    let passkey = try make(second)
    await step("an answer to other options") {
      try await phone.addPasskey(try passkey.registration(first), for: second).factor.id
    }
    await step("a right one after it") {
      try await phone.addPasskey(try passkey.registration(second), for: second).factor.id
    }
    let third = try await phone.startPasskey()
    await step("a right one") {
      let added = try await phone.addPasskey(try passkey.registration(third), for: third, name: " Key ")
      let factor = added.factor
      return "\(factor.name ?? "-") \(factor.kind.rawValue) \(factor.isSynced as Any) \(added.recoveryCodes.count)"
    }
    let fourth = try await phone.startPasskey()
    await step("the same passkey again") {
      try await phone.addPasskey(try passkey.registration(fourth), for: fourth).factor.id
    }
    await step("the list") {
      let factors = try await phone.factors()
      return "\(factors.items.map(\.kind.rawValue)) \(factors.recoveryCodesLeft) \(fourth.excludedCredentials.count)"
    }
    return (passkey, try make(fourth))
  }

  private func secondStep(_ tablet: AuthClient, _ passkey: StoryPasskey, _ step: Step) async throws {
    var asked: MFAChallenge?
    await step("the right password") {
      do throws(AuthError) {
        _ = try await tablet.signIn(email: Self.email, password: Self.password)
        return "signed in"
      } catch {
        asked = error.challenge
        throw error
      }
    }
    let challenge = try #require(asked)
    let request = try #require(challenge.passkey)
    var next: PasskeyRequest?
    await step("a wrong code") {
      do throws(AuthError) {
        _ = try await tablet.verifyMFA(challenge, recoveryCode: "none")
        return "signed in"
      } catch {
        next = error.passkey
        throw error
      }
    }
    await step("an answer to the options of before") {
      do throws(AuthError) {
        let answer = try? passkey.assertion(request)
        guard let answer else { return "no answer" }
        _ = try await tablet.verifyMFA(challenge, passkey: answer)
        return "signed in"
      } catch {
        next = error.passkey
        throw error
      }
    }
    let last = try #require(next)
    await step("an answer to the last ones") {
      _ = try await tablet.verifyMFA(challenge, passkey: try passkey.assertion(last))
      return "signed in, of \(request.allowedCredentials.count)"
    }
    await tablet.signOut()
  }

  private func signIn(_ tablet: AuthClient, _ passkey: StoryPasskey, _ other: StoryPasskey, _ step: Step) async throws {
    let request = try await tablet.startPasskeySignIn()
    let refused = await refusal { () async throws in
      _ = try await tablet.signIn(with: try other.assertion(request), for: request)
    }
    await step("a passkey that no account has") { "\(refused?.code.rawValue ?? "signed in")" }
    let next = try #require(refused?.passkey)
    await step("the passkey of the account") {
      _ = try await tablet.signIn(with: try passkey.assertion(next), for: next)
      return "\(request.allowedCredentials.count) \(request.userVerification) \(try await tablet.factors().items.count)"
    }
    await step("the same answer again") {
      _ = try await tablet.signIn(with: try passkey.assertion(next), for: next)
      return "signed in"
    }
  }

  private func proofs(_ tablet: AuthClient, _ passkey: StoryPasskey, _ other: StoryPasskey, _ step: Step) async throws {
    await step("a sign-in with a passkey is a proof") { "\(try await tablet.makeRecoveryCodes().count)" }
    await wait(400)
    await step("an old one is none") { "\(try await tablet.makeRecoveryCodes().count)" }
    let ways = try await tablet.startReauthentication()
    let request = try #require(ways.passkey)
    await step("ways to a proof") { "\(ways.methods.map(\.rawValue)) \(request.allowedCredentials.count)" }
    let refused = await refusal { () async throws in
      try await tablet.reauthenticate(passkey: try other.assertion(request), for: request)
    }
    await step("another passkey") { "\(refused?.code.rawValue ?? "proven")" }
    let next = try #require(refused?.passkey)
    for name in ["the passkey of the account", "the same answer again"] {
      await step(name) {
        try await tablet.reauthenticate(passkey: try passkey.assertion(next), for: next)
        return "proven"
      }
    }
    await step("new codes") { "\(try await tablet.makeRecoveryCodes().count)" }
  }

  private func end(_ tablet: AuthClient, _ phone: AuthClient, _ step: Step) async throws {
    let factor = try #require(try await tablet.factors().items.first)
    await step("named") { try await tablet.renameFactor(factor.id, to: "Work").name ?? "-" }
    await step("removed") {
      try await tablet.removeFactor(factor.id)
      let left = try await tablet.factors()
      return "\(left.items.count) \(left.recoveryCodesLeft)"
    }
    await step("a sign-in without factors") {
      _ = try await phone.signIn(email: Self.email, password: Self.password)
      return "signed in"
    }
  }

  private func refusal(_ body: () async throws -> Void) async -> AuthError? {
    do {
      try await body()
      return nil
    } catch { return error as? AuthError }
  }
}
