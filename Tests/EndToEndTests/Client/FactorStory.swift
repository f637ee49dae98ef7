import Foundation
import GatehouseClient
import Testing

/// A person's life with second factors, told by outcomes alone: the same words at every server that keeps the contract.
struct FactorStory {
  /// A device that was never used.
  let device: () throws -> AuthClient
  /// The digits that an authenticator app with this seed shows.
  let digits: (_ secret: String) throws -> String
  /// Lets seconds pass at the server and on the devices.
  let wait: (Double) async -> Void

  private static let email = "al@example.com"
  private static let password = "Quilted-Harbour-2031!"
  private static let later = "Narrow-Lantern-2032?"

  private typealias Step = (String, () async throws(AuthError) -> String) async -> Void

  /// Every step with its outcome, in order.
  func told() async throws -> [String] {
    var lines: [String] = []
    func step(_ name: String, _ body: () async throws(AuthError) -> String) async {
      do throws(AuthError) { lines.append("\(name): \(try await body())") } catch {
        let asked = error.challenge.map { " \($0.factors.map(\.rawValue)) \($0.rememberFor as Any)" } ?? ""
        lines.append("\(name): \(error.code)\(asked) \(error.methods.map(\.rawValue))")
      }
    }
    let (phone, tablet) = (try device(), try device())
    _ = try await phone.signUp(email: Self.email, password: Self.password, profile: ["displayName": "Al"])
    let secret = try await enrolment(phone, step)
    let codes = try await recoveryCodes(phone, step)
    try await signIns(tablet, secret, codes, step)
    try await proofs(phone, tablet, secret, step)
    try await end(phone, tablet, step)
    return lines
  }

  private func enrolment(_ phone: AuthClient, _ step: Step) async throws -> String {
    await step("factors that may be added") { () async throws(AuthError) in "\(try await phone.policy().factors)" }
    await step("no factors") { () async throws(AuthError) in
      let factors = try await phone.factors()
      return "\(factors.items.count) \(factors.recoveryCodesLeft)"
    }
    await step("codes without a factor") { () async throws(AuthError) in "\(try await phone.makeRecoveryCodes().count)"
    }
    await wait(600)
    await step("an old proof") { () async throws(AuthError) in try await phone.startTOTP().secret }
    try await phone.reauthenticate(.password(Self.password))
    let first = try await phone.startTOTP()
    let enrolment = try await phone.startTOTP(name: " Phone ")
    let code = try digits(first.secret)
    await step("an enrolment that another one replaced") { () async throws(AuthError) in
      try await phone.confirmTOTP(first, code: code).factor.id
    }
    await step("a wrong first code") { () async throws(AuthError) in
      try await phone.confirmTOTP(enrolment, code: "none").factor.id
    }
    let right = try digits(enrolment.secret)
    await step("a right one") { () async throws(AuthError) in
      let added = try await phone.confirmTOTP(enrolment, code: right)
      return "\(added.factor.name ?? "-") \(added.factor.kind.rawValue) \(added.recoveryCodes.count)"
    }
    await step("the same again") { () async throws(AuthError) in
      try await phone.confirmTOTP(enrolment, code: right).factor.id
    }
    await step("the session after it") { () async throws(AuthError) in
      _ = try await phone.accessToken(forcingRefresh: true)
      return "\(try await phone.devices().contains(where: \.isCurrent))"
    }
    return enrolment.secret
  }

  private func recoveryCodes(_ phone: AuthClient, _ step: Step) async throws -> [String] {
    let codes = try await phone.makeRecoveryCodes()
    await step("new codes") { () async throws(AuthError) in
      "\(codes.count) \(try await phone.factors().recoveryCodesLeft)"
    }
    return codes
  }

  private func signIns(_ tablet: AuthClient, _ secret: String, _ codes: [String], _ step: Step) async throws {
    func ask(_ name: String) async -> MFAChallenge? {
      var challenge: MFAChallenge?
      await step(name) { () async throws(AuthError) in
        do throws(AuthError) {
          _ = try await tablet.signIn(email: Self.email, password: Self.password)
          return "signed in"
        } catch {
          challenge = error.challenge
          throw error
        }
      }
      return challenge
    }
    await wait(60)
    await step("a wrong password") { () async throws(AuthError) in
      _ = try await tablet.signIn(email: Self.email, password: Self.later)
      return "signed in"
    }
    let challenge = try #require(await ask("the right password"))
    let right = try digits(secret)
    for code in ["none", right, right] {
      await step("a code") { () async throws(AuthError) in
        _ = try await tablet.verifyMFA(challenge, totp: code)
        return "signed in"
      }
    }
    await tablet.signOut()
    let second = try #require(await ask("once more"))
    let typed = (try #require(codes.first)).lowercased().replacing("-", with: " ")
    await step("the code of before") { () async throws(AuthError) in
      _ = try await tablet.verifyMFA(second, totp: right)
      return "signed in"
    }
    await step("a recovery code, to be remembered") { () async throws(AuthError) in
      _ = try await tablet.verifyMFA(second, recoveryCode: typed, rememberDevice: true)
      return "\(try await tablet.factors().recoveryCodesLeft)"
    }
    await tablet.signOut()
    _ = await ask("a remembered device")
  }

  private func proofs(_ phone: AuthClient, _ tablet: AuthClient, _ secret: String, _ step: Step) async throws {
    await wait(60)
    await step("a remembered device proves nothing") { () async throws(AuthError) in
      "\(try await tablet.makeRecoveryCodes().count)"
    }
    await step("nor does a password") { () async throws(AuthError) in
      try await tablet.reauthenticate(.password(Self.password))
      return "\(try await tablet.makeRecoveryCodes().count)"
    }
    await step("a change by the password alone") { () async throws(AuthError) in
      "\(try await tablet.changePassword(current: Self.password, new: Self.later).count)"
    }
    try await tablet.setPushToken("push", platform: .fcm)
    let right = try digits(secret)
    await step("a proof by a code") { () async throws(AuthError) in
      try await tablet.reauthenticate(.totp(right))
      return "\(try await tablet.devices().contains(where: \.isCurrent))"
    }
    await step("a proof by the same code") { () async throws(AuthError) in
      try await tablet.reauthenticate(.totp(right))
      return "proven"
    }
    await step("the session after it") { () async throws(AuthError) in
      _ = try await tablet.accessToken(forcingRefresh: true)
      return "\(try await tablet.makeRecoveryCodes().count)"
    }
    await step("a change by both") { () async throws(AuthError) in
      "\(try await tablet.changePassword(current: Self.password, new: Self.later).count)"
    }
    await step("the other device") { () async throws(AuthError) in
      _ = try await phone.reload()
      return "lives"
    }
  }

  private func end(_ phone: AuthClient, _ tablet: AuthClient, _ step: Step) async throws {
    let factor = try #require(try await tablet.factors().items.first)
    await step("named") { () async throws(AuthError) in
      try await tablet.renameFactor(factor.id, to: "Work").name ?? "-"
    }
    await step("an unknown one") { () async throws(AuthError) in
      try await tablet.renameFactor("nowhere", to: "Work").name ?? "-"
    }
    await step("the device after another password") { () async throws(AuthError) in
      _ = try await phone.signIn(email: Self.email, password: Self.later)
      return "signed in"
    }
    await step("removed") { () async throws(AuthError) in
      try await tablet.removeFactor(factor.id)
      let left = try await tablet.factors()
      return "\(left.items.count) \(left.recoveryCodesLeft)"
    }
    await step("a sign-in without factors") { () async throws(AuthError) in
      _ = try await phone.signIn(email: Self.email, password: Self.later)
      return "signed in"
    }
  }
}
