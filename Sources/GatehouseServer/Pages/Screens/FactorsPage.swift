import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The second factors of the account: its authenticator apps, its passkeys, and its recovery codes.
enum FactorsPage: HostedPage {
  static let path = PagePath.factors
  static let audience = PageAudience.session

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    visit.policy.mfa != nil || visit.hasFactors || visit.addsPasskeys ? FactorPieces.heading(visit) : nil
  }

  static func codeRecord(_ visit: Visit) -> CodeRecord? { .factor }

  /// As many recovery codes as are few.
  private static let few = 3

  static func screen(_ visit: Visit) async throws -> Screen? {
    if let enrolment = visit.flow.enrolment { return try FactorPieces.adding(enrolment, visit) }
    let stored = try await visit.reads.factors(visit.call)
    let titles = FactorPieces.titles(stored.items, visit)
    if let choice = visit.flow.factor, let place = stored.items.firstIndex(where: { $0.id == choice.id }) {
      return FactorPieces.asking(
        choice.deed, stored.items[place], titled: titles[place], isLast: stored.items.count == 1, visit)
    }
    let none = [FactorPieces.none(visit)]
    let list = zip(stored.items, titles).flatMap { factor, title in FactorPieces.part(factor, titled: title, visit) }
    var screen = Screen(
      FactorPieces.heading(visit), of: .factors, lead: FactorPieces.lead(visit),
      (stored.items.isEmpty ? none : list)
        + FactorPieces.add(beside: stored.items, visit)
        + (stored.items.isEmpty ? [] : codes(stored.recoveryCodes.left, visit))
        + wayOn(visit))
    screen.signal = PasskeyForms.signal(stored.signal, visit)
    if visit.flow.factorsFirst == .recovered {
      screen.notice = visit.words.factors.recovered
    } else if let due = visit.factorDue {
      screen.notice = visit.words.factors.due(visit.words.moments.day(Timestamp(due)))
    }
    return screen
  }

  /// A person whose sign-in led here is on the way to where it leads.
  private static func wayOn(_ visit: Visit) -> [Screen.Piece] {
    guard visit.looksAtFactors else { return Pieces.wayBack(visit) }
    return [.form(Form(button: visit.words.forms.proceed, style: .secondary, intent: FactorIntent.proceed))]
  }

  /// How many recovery codes are left, and the form for others.
  private static func codes(_ left: Int, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.factors
    let text: HTML =
      left > few
      ? "<p>\(words.left(left))</p>" : "<p class=\"notice\">\(words.left(left)) \(words.makeSoon)</p>"
    return [
      .html("<h2>\(words.codes)</h2>\n\(text)"),
      .form(Form(button: words.makeCodes, style: .secondary, intent: FactorIntent.codes)),
    ]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    switch typed.intent {
    case FactorIntent.start: return try await start(typed, &visit)
    case FactorIntent.confirm: return try await confirm(typed, &visit)
    case FactorIntent.addPasskey: return try await addPasskey(typed, &visit)
    case FactorIntent.codes:
      guard visit.isRecent(.factors) else { return ProofFirst.step(&visit) }
      let made = try await RecoveryCodes.make(Nothing(), visit.call, visit.services)
      return .screen(FactorPieces.codes(made.recoveryCodes, areOthers: true, visit))
    case FactorIntent.rename: visit.flow.factor = .init(deed: .rename, id: typed["factor"])
    case FactorIntent.remove: visit.flow.factor = .init(deed: .remove, id: typed["factor"])
    case FactorIntent.named: try await rename(typed, &visit)
    case FactorIntent.removed, FactorIntent.lost: return try await remove(typed, &visit)
    case FactorIntent.proceed:
      visit.flow.factorsFirst = nil
      return .onward()
    // The codes were kept: the way goes on.
    case FactorIntent.kept:
      return visit.flow.target == nil || visit.flow.factorsFirst == .recovered ? .page(path) : .onward()
    default: visit.leaveFactors()
    }
    return .page(path)
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool {
    raisesSession(typed) || (typed.intent == FactorIntent.codes && visit.isRecent(.factors))
  }

  static func raisesSession(_ typed: Typed) -> Bool {
    isPasskey(typed) || (typed.intent == FactorIntent.confirm && FactorForms.isDigits(typed[SecretField.code.rawValue]))
  }

  private static func isPasskey(_ typed: Typed) -> Bool {
    PasskeyForms.isAnswer(typed, intent: FactorIntent.addPasskey)
  }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard raisesSession(typed) else {
      let codes = kept["recovery_codes"]?.array?.compactMap(\.string)
      return codes.map { .screen(FactorPieces.codes($0, areOthers: true, visit)) }
    }
    return try await resumed(kept, at: path, &visit) { codes, visit in
      added(codes, telling: isPasskey(typed) ? .passkeyAdded : .factorAdded, &visit)
    }
  }

  /// The step after an enrolment that comes again, at this page: the session goes on.
  static func resumed(
    _ kept: JSONObject, at page: String, _ visit: inout Visit, _ added: ([String]?, inout Visit) -> Step
  ) async throws -> Step {
    try await visit.goOn(byKept: kept["secret"]?.string)
    // GUARD: pages: kept codes are shown in a session that lives
    guard visit.signedIn != nil else { return .page(page) }
    return added(kept["codes"]?.array?.compactMap(\.string), &visit)
  }

  private static func start(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard visit.isRecent(.factors) else {
      visit.keepDraft(typed)
      return ProofFirst.step(&visit)
    }
    guard let user = visit.signedIn?.user else { return .onward() }
    let begun = try await StartTOTP.run(.init(name: typed[FactorPieces.nameField]), visit.call, visit.services)
    visit.flow.enrolment = Flow.Enrolment(
      id: begun.enrolmentID, secret: begun.secret, user: user.id.uuid,
      endsAt: visit.call.now.wholeSeconds + Int64(begun.expiresIn))
    return .page(path)
  }

  private static func confirm(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    let words = visit.words
    guard let enrolment = visit.flow.enrolment else { return over(&visit) }
    let code = typed[SecretField.code.rawValue]
    guard FactorForms.isDigits(code) else {
      return .problems([FormProblem(field: SecretField.code.rawValue, message: words.secondStep.wrong)])
    }
    do {
      let (_, codes, joined) = try await ConfirmTOTP.enrol(
        .init(enrolmentID: enrolment.id, code: code), visit.call, visit.services)
      visit.goOn(in: joined)
      return added(codes?.map(\.shown), telling: .factorAdded, &visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired {
      return over(&visit)
    }
  }

  private static func addPasskey(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let answer = try PasskeyForms.answer(typed, as: RegistrationAnswer.self) else {
      guard visit.isRecent(.factors) else {
        visit.keepDraft(typed)
        return ProofFirst.step(&visit)
      }
      return try PasskeyForms.step(typed, visit, try await StartPasskey.run(Nothing(), visit.call, visit.services))
    }
    do {
      let (_, codes, joined) = try await AddPasskey.enrol(
        .init(
          challengeID: PasskeyForms.challenge(typed), credential: answer, name: typed[FactorPieces.passkeyNameField]),
        visit.call, visit.services)
      visit.goOn(in: joined)
      return added(codes?.map(\.shown), telling: .passkeyAdded, &visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired {
      return PasskeyForms.over(visit)
    }
  }

  /// The end of an enrolment: the first one shows the recovery codes.
  private static func added(_ codes: [String]?, telling notice: Flow.Notice, _ visit: inout Visit) -> Step {
    visit.leaveFactors()
    visit.flow.notice = notice
    guard let codes else { return .page(path) }
    return .screen(FactorPieces.codes(codes, areOthers: false, visit))
  }

  private static func over(_ visit: inout Visit) -> Step {
    visit.leaveFactors()
    visit.flow.trouble = Flow.kept(trouble: visit.words.factors.over)
    return .page(path)
  }

  private static func rename(_ typed: Typed, _ visit: inout Visit) async throws {
    _ = try await Factors.rename(
      .init(id: typed["factor"], name: typed[FactorPieces.nameField]), visit.call, visit.services)
    visit.leaveFactors()
    visit.flow.notice = .saved
  }

  private static func remove(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard visit.isRecent(.factors) else { return ProofFirst.step(&visit) }
    do {
      let isLost = typed.intent == FactorIntent.lost
      _ = try await Factors.remove(
        .init(id: typed["factor"], lost: isLost ? true : nil), visit.call, visit.services)
    } catch let refusal as Refusal where refusal.code == .notFound {
      // It is gone already, by the tap before or in another tab.
    }
    visit.leaveFactors()
    visit.flow.notice = typed["kind"] == PasskeyForms.method ? .passkeyRemoved : .factorRemoved
    return .page(path)
  }
}

/// The forms of the page of second factors.
enum FactorIntent {
  static let start = "start"
  static let confirm = "confirm"
  static let addPasskey = "add-passkey"
  static let codes = "codes"
  static let kept = "kept"
  static let rename = "rename"
  static let named = "named"
  static let remove = "remove"
  static let removed = "removed"
  static let lost = "lost"
  static let proceed = "proceed"
  static let cancel = "cancel"
}
