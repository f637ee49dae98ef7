import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The newest mailed code that a page waits for, as far as the page may tell of it.
struct MailedCode: Sendable {
  let sentAt: Date
  let standing: OneTimeCode.Standing

  init(sentAt: Date, standing: OneTimeCode.Standing) { (self.sentAt, self.standing) = (sentAt, standing) }

  /// A code of the signed-in account.
  init(_ code: OneTimeCode, at now: Date) {
    (sentAt, standing) = (code.createdAt, code.standing(at: now))
  }

  /// The code that a flow waits for: by its own record, which is the same for every address. Nil where it waits for
  /// none.
  init?(_ flow: Flow, _ call: Call) {
    guard let seconds = flow.mailedAt else { return nil }
    sentAt = Date(timeIntervalSince1970: TimeInterval(seconds))
    let isOver = call.now.wholeSeconds - seconds >= call.policy.verification.email.codeTTL
    standing = isOver ? .expired : (flow.tries ?? 0) < CodeMint.maxAttempts ? .living : .usedUp
  }
}

extension Visit {
  /// The code that the flow waits for.
  var mailed: MailedCode? { MailedCode(flow, call) }

  /// The flow waits for a mail that was asked for now, or before a pause of which so many seconds are left.
  mutating func awaitMail(pause: Int? = nil) {
    let cooldown = policy.verification.email.resendCooldown
    if pause == nil { forgetMail() }
    flow.mailedAt = call.now.wholeSeconds - (pause.map { max(0, cooldown - Int64($0)) } ?? 0)
  }

  /// The flow waits for no mail.
  mutating func forgetMail() { (flow.mailedAt, flow.tries, flow.code) = (nil, nil, nil) }

  /// A refusal with the tries and the time of its code, as the flow knows them. Wrong digits count in the flow, besides
  /// where they are counted to be refused; text without digits counts nowhere.
  mutating func counting(_ refusal: Refusal, _ typed: Typed) -> Refusal {
    let isTry = flow.code != nil || TypedText.code(in: typed["code"], digits: NumericCode.digitCount) != nil
    guard isTry, [.codeInvalid, .codeExpired, .codeUsed].contains(refusal.code) else { return refusal }
    var refusal = refusal
    flow.code = nil
    flow.tries = refusal.isUsedUp ? CodeMint.maxAttempts : (flow.tries ?? 0) + 1
    switch mailed?.standing {
    case .expired: refusal.code = .codeExpired
    case .usedUp: refusal.isUsedUp = true
    case .living, nil: break
    }
    return refusal
  }
}

/// Waiting for a mailed code.
extension Pieces {
  /// The parts of a page that waits for a code.
  struct CodeForm {
    let email: String
    /// The intents of the form for the code, and of the one for another mail.
    var intent: String?
    let again: String
    /// Whether no page may tell that the address has an account.
    var isPerhaps = false
    var button: String?
    /// Whether its mail has digits under every policy.
    var isAlwaysDigits = false
  }

  /// The mail and its time, the form for the code, and the way to another one. Of a code that works no more the page
  /// says so, and asks for no digits.
  static func code(_ mailed: MailedCode?, _ form: CodeForm, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.checkMail
    let email = DomainName.shown(inAddress: form.email)
    guard let mailed else {
      return [text(words.unsent(email)), .form(Form(button: visit.words.reset.send, intent: form.again))]
    }
    let moment = visit.words.moments.clock(Timestamp(mailed.sentAt))
    let hasDigits = form.isAlwaysDigits || visit.policy.verification.email.method != .link
    guard hasDigits else {
      let lead = (form.isPerhaps ? words.perhapsLink : words.sentLink)(email, moment)
      let aside: Screen.Piece = .html("<p class=\"aside\">\(words.spam)</p>")
      return [.html("<p>\(lead)</p>"), aside] + resend(form.again, since: mailed.sentAt, isMain: false, visit)
    }
    let isLiving = mailed.standing == .living
    let again = resend(form.again, since: mailed.sentAt, isMain: !isLiving, visit)
    guard isLiving else { return [text(mailed.standing == .expired ? words.expired : words.usedUp)] + again }
    let time = visit.words.duration(Int(visit.policy.verification.email.codeTTL))
    let lead = (form.isPerhaps ? words.perhaps : words.sent)(email, moment, time)
    return [
      .html("<p>\(lead)</p>"),
      .form(Form(fields: [codeField(visit)], button: form.button ?? words.confirm, intent: form.intent)),
      .html("<p class=\"aside\"\(form.isPerhaps ? "" : " data-awaits")>\(words.spam)</p>"),
    ] + again
  }

  static func codeField(_ visit: Visit, value: String = "") -> FormField {
    FormField(
      name: SecretField.code.rawValue, label: visit.words.checkMail.code, kind: .code, value: value,
      autocomplete: "one-time-code")
  }

  /// The form that asks for another mail: once its time has come, and until then a sentence that says when. The script
  /// counts the seconds and shows the form by itself.
  private static func resend(_ intent: String, since sentAt: Date, isMain: Bool, _ visit: Visit) -> [Screen.Piece] {
    let end = sentAt.wholeSeconds + visit.policy.verification.email.resendCooldown
    let left = end - visit.call.now.wholeSeconds
    let form = Form(
      button: visit.words.checkMail.again, style: isMain ? .primary : .plain, intent: intent, isLater: left > 0)
    return (left > 0 ? [wait(Int(left), visit)] : []) + [.form(form)]
  }

  /// Without the script the page has to be loaded again, which the text says that the script replaces.
  private static func wait(_ seconds: Int, _ visit: Visit) -> Screen.Piece {
    let words = visit.words.checkMail
    let countdown = Countdown(seconds, visit.words.duration, words.wait)
    return .html(
      """
      <p\(countdown.attributes)>\(words.wait(visit.words.duration(seconds))) \(words.reload)</p>
      """)
  }
}
