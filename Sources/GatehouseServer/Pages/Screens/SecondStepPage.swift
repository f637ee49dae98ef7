import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Asks for a second factor after the first proof of a sign-in. Its flow has the challenge: without one there is
/// nothing to see.
enum SecondStepPage: HostedPage {
  static let path = PagePath.secondStep
  static let audience = PageAudience.anyone
  static let factors = [PasskeyForms.method] + FactorForms.known

  private static let remember = "remember"

  static func codeRecord(_ visit: Visit) -> CodeRecord? { .factor }

  static func arrive(_ visit: inout Visit) throws -> Answer? {
    if let answer = try visit.arrival() { return answer }
    guard visit.flow.challenge?.isOver(at: visit.call.now) == true else { return nil }
    endChallenge(&visit)
    return try visit.going(to: PagePath.signIn)
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard let challenge = visit.flow.challenge else { return nil }
    let words = visit.words
    let options =
      challenge.factors.contains(PasskeyForms.method) && visit.call.isAtRelyingParty
      ? try await visit.reads.passkey(challenge.id, visit.call) : nil
    let box = rememberBox(challenge, visit)
    let passkey = try options.map {
      try PasskeyForms.use(words.passkeys.use, options: $0, borrowed: box.map(\.name), visit)
    }
    return Screen(
      words.secondStep.heading, of: .secondStep,
      FactorForms.pieces(challenge.factors, passkey: passkey, button: words.signIn.button, with: box, visit)
        + [Pieces.links([(words.signIn.other, visit.address(PagePath.signIn))])] + GiveUp.pieces(visit))
  }

  /// The box that makes this device a known one. A computer that others use is none.
  private static func rememberBox(_ challenge: Flow.Challenge, _ visit: Visit) -> [FormField] {
    guard let seconds = challenge.remembers, visit.flow.isShared != true else { return [] }
    let time = seconds < 86_400 ? visit.words.duration(seconds) : visit.words.secondStep.days(seconds / 86_400)
    return [
      FormField(
        name: remember, label: visit.words.secondStep.remember(time), kind: .checkbox, isRequired: false)
    ]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let challenge = visit.flow.challenge else { return .onward() }
    if let step = FactorForms.step(typed, &visit) { return step }
    let passkey = try PasskeyForms.answer(typed, as: AuthenticationAnswer.self)
    let code = FactorForms.Sent(typed)
    // Its options are on the page: a form without an answer is no try.
    guard code != nil || passkey != nil else { return .page(path) }
    let isTicked = typed[remember] == "true"
    // GUARD: pages: a shared computer is not remembered
    let remembers = isTicked && visit.flow.isShared != true
    let input = VerifyFactorEndpoint.Input(
      challengeID: challenge.id, totp: code?.totp, recoveryCode: code?.recoveryCode,
      passkey: code == nil ? passkey : nil, rememberDevice: remembers)
    do {
      let session: PageSession = try await VerifyFactor.open(input, visit.call, visit.services)
      try await visit.enter(session)
      visit.flow.advice = session.advice
      return onward(session, typed, &visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired || refusal.isLastOfPasskey {
      endChallenge(&visit)
      return .page(PagePath.signIn)
    }
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool {
    FactorForms.isTry(typed) || PasskeyForms.isAnswer(typed)
  }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard let session = PageSession(kept: kept) else { return nil }
    try await visit.enter(session)
    return onward(session, typed, &visit)
  }

  /// A person who came by a recovery code may have lost a phone: the page of second factors is next.
  private static func onward(_ session: PageSession, _ typed: Typed, _ visit: inout Visit) -> Step {
    if FactorForms.isRecovery(typed) { visit.flow.factorsFirst = .recovered }
    return .onward(next: session.next)
  }

  /// The sign-in begins again, and its page says why.
  private static func endChallenge(_ visit: inout Visit) {
    (visit.flow.challenge, visit.flow.byRecoveryCode) = (nil, nil)
    visit.flow.trouble = Flow.kept(trouble: visit.words.secondStep.over)
  }
}

extension Refusal {
  /// Whether an answer of a passkey was refused, and the challenge takes no other one.
  fileprivate var isLastOfPasskey: Bool { code == .passkeyInvalid && passkey == nil }
}
