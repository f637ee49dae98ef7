import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

extension Visit {
  /// A mail is on its way, and the page says so. Another one may be asked for after so many seconds.
  mutating func mailed(wait: Int64, on page: String) -> Step {
    flow.resendAt = call.now.wholeSeconds + wait
    flow.notice = .mailSent
    return .page(page)
  }
}

/// Waiting for a mailed code.
extension Pieces {
  /// That a code was mailed, and the form for it.
  static func code(to email: String, intent: String? = nil, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.checkMail
    let time = visit.words.duration(Int(visit.policy.verification.email.codeTTL))
    return [
      text(words.sent(DomainName.shown(inAddress: email), time)),
      .form(Form(fields: [codeField(visit)], button: words.confirm, intent: intent)),
      .html("<p class=\"aside\">\(words.spam)</p>"),
    ]
  }

  static func codeField(_ visit: Visit, value: String = "") -> FormField {
    FormField(
      name: SecretField.code.rawValue, label: visit.words.checkMail.code, kind: .code, value: value,
      autocomplete: "one-time-code")
  }

  /// The form that asks for another mail: once its time has come, and until then a sentence that says when. The script
  /// counts the seconds and shows the form by itself.
  static func resend(_ intent: String, _ visit: Visit) -> [Screen.Piece] {
    let left = (visit.flow.resendAt ?? 0) - visit.call.now.wholeSeconds
    let form = Form(button: visit.words.checkMail.again, style: .plain, intent: intent, isLater: left > 0)
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
