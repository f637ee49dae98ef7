import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A passkey after a sign-in with a password, for a person who has none: the browser makes one without a question, or
/// the person is asked, once a month in a browser. The way goes on in any case, and nothing that fails holds it up.
enum PasskeyOfferPage: HostedPage {
  static let path = PagePath.passkey
  static let audience = PageAudience.session

  /// The field by which the sign-in's script says what its browser can, and its value without a script.
  static let ability = (field: "upgrade", none: "no")

  private static let later = "later"

  /// The offer after a sign-in with a password by this form. Nil where the browser has no use for it, or runs no
  /// scripts.
  static func offer(after typed: Typed, _ visit: Visit) -> Flow.PasskeyOffer? {
    guard visit.upgradesToPasskeys else { return nil }
    switch typed[ability.field] {
    case Flow.PasskeyOffer.silent.rawValue where visit.policy.makesPasskeysSilently: return .silent
    case Flow.PasskeyOffer.silent.rawValue, "offer": return visit.wasOfferedPasskey ? nil : .open
    default: return nil
    }
  }

  /// Whether the person who signed in gets the offer now: a passkey rests on a fresh proof.
  static func isDue(_ visit: Visit) -> Bool {
    guard visit.flow.passkeyOffer != nil, visit.upgradesToPasskeys, visit.isRecent, let user = visit.signedIn?.user
    else { return false }
    // GUARD: pages: no passkey is made at a shared computer
    let isOwn = visit.flow.isShared != true
    return isOwn && visit.policy.offersPasskey(to: user.facts, at: visit.call.now)
  }

  static func arrive(_ visit: inout Visit) throws -> Answer? {
    if let answer = try visit.arrival() { return answer }
    if visit.flow.passkeyOffer == .open, isDue(visit) { visit.rememberOffer() }
    return nil
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard isDue(visit) else { return nil }
    let words = visit.words.passkeys
    let isSilent = visit.flow.passkeyOffer == .silent
    // Without a script there is the way on alone.
    let add = PasskeyForms.add(intent: FactorIntent.addPasskey, isSilent: isSilent, visit)
    let on = Form(
      button: isSilent ? visit.words.forms.proceed : visit.words.connect.later,
      style: isSilent ? .secondary : .plain, intent: later)
    return Screen(
      isSilent ? words.moment : words.offer, lead: isSilent ? words.momentLead : words.offerLead,
      [.form(add), .form(on)])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard typed.intent == FactorIntent.addPasskey else { return goOn(&visit) }
    guard isDue(visit) else { return PasskeyForms.asksForOptions(typed) ? PasskeyForms.over(visit) : goOn(&visit) }
    do {
      return try await add(typed, &visit)
    } catch let refusal as Refusal where visit.flow.passkeyOffer == .silent && isNoFault(refusal, typed) {
      return goOn(&visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired {
      return PasskeyForms.over(visit)
    }
  }

  /// Whether a passkey that was made without a question was refused, of which its owner is told nothing.
  private static func isNoFault(_ refusal: Refusal, _ typed: Typed) -> Bool {
    !refusal.isOfStore && refusal.code.status < 500 && !PasskeyForms.asksForOptions(typed)
  }

  private static func add(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let answer = try PasskeyForms.answer(typed, as: RegistrationAnswer.self) else {
      return try PasskeyForms.step(typed, visit, try await StartPasskey.run(Nothing(), visit.call, visit.services))
    }
    let (_, codes, joined) = try await AddPasskey.enrol(
      .init(challengeID: PasskeyForms.challenge(typed), credential: answer), visit.call, visit.services)
    visit.goOn(in: joined)
    return added(codes?.map(\.shown), &visit)
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool { raisesSession(typed) }

  static func raisesSession(_ typed: Typed) -> Bool {
    PasskeyForms.isAnswer(typed, intent: FactorIntent.addPasskey)
  }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    try await FactorsPage.resumed(kept, at: path, &visit, added)
  }

  /// The first factor of an account may come with recovery codes, which are shown before the way goes on.
  private static func added(_ codes: [String]?, _ visit: inout Visit) -> Step {
    visit.flow.notice = .passkeyAdded
    guard let codes else { return goOn(&visit) }
    visit.flow.passkeyOffer = nil
    return .screen(FactorPieces.codes(codes, areOthers: false, visit))
  }

  private static func goOn(_ visit: inout Visit) -> Step {
    visit.flow.passkeyOffer = nil
    visit.signalPasskeys()
    return .onward()
  }
}

extension Visit {
  /// Whether people who sign in with a password may get a passkey here.
  var upgradesToPasskeys: Bool { policy.passkeys?.upgrade != nil && addsPasskeys }
}
