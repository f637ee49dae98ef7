import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The forms for a second factor: that of a passkey, and below it those for a code, one at a time, with the way to the
/// other one.
enum FactorForms {
  /// The factors that there is a form for a code of, by their names. The name is the intent of the form, too.
  static let known = [totp, recoveryCode]

  private static let totp = Proof.Method.totp.name
  private static let recoveryCode = Proof.Method.recoveryCode.name
  private static let other = "other-factor"

  /// - Parameters:
  ///   - factors: those of which one is asked for.
  ///   - passkey: the form for a passkey, where one is among them that can be used here.
  ///   - button: what a code is typed for.
  ///   - more: fields below the code.
  static func pieces(
    _ factors: [String], passkey: Form? = nil, button: String, with more: [FormField] = [], _ visit: Visit
  ) -> [Screen.Piece] {
    let codes = codes(factors, button: button, with: more, visit)
    guard let passkey else {
      return codes.isEmpty && factors.contains(PasskeyForms.method) ? [PasskeyForms.without(visit)] : codes
    }
    return [.form(passkey)] + (codes.isEmpty ? [PasskeyForms.without(visit)] : [PasskeyForms.orCode(visit)] + codes)
  }

  private static func codes(
    _ factors: [String], button: String, with more: [FormField], _ visit: Visit
  ) -> [Screen.Piece] {
    let offered = known.filter(factors.contains)
    let words = visit.words.secondStep
    let chosen = offered.count > 1 && visit.flow.byRecoveryCode == true ? recoveryCode : offered.first
    guard let way = chosen else { return [] }
    let isRecovery = way == recoveryCode
    let field = isRecovery ? recoveryField(visit) : Pieces.codeField(visit)
    let form = Form(fields: [field] + more, button: button, intent: way)
    let switches = switching(isRecovery ? words.byApp : words.byRecoveryCode)
    return [Pieces.text(isRecovery ? words.recoveryLead : words.lead(visit.app)), .form(form)]
      + (offered.count > 1 ? [switches] : [])
  }

  /// The button for the other factor. It sends the form of the code, so that the page has its flow once less.
  private static func switching(_ text: String) -> Screen.Piece {
    .html(
      """
      <p class="plain">
      <button type="submit" formnovalidate form="\(Form.id)" name="\(other)" value="1">\(text)</button>
      </p>
      """)
  }

  static func recoveryField(_ visit: Visit, value: String = "") -> FormField {
    FormField(
      name: SecretField.code.rawValue, label: visit.words.secondStep.recoveryCode, kind: .recoveryCode, value: value)
  }

  static func isDigits(_ text: String) -> Bool { TypedText.code(in: text, digits: NumericCode.digitCount) != nil }

  /// Whether a form was sent for its code, and the code can be one.
  static func isTry(_ typed: Typed) -> Bool { typed.given(other) == nil && Sent(typed)?.isCode == true }

  static func isRecovery(_ typed: Typed) -> Bool { typed.intent == recoveryCode }

  /// The code of a form that was sent; nil for every other form.
  struct Sent {
    /// Six digits of an authenticator app.
    let totp: String?
    let recoveryCode: String?

    init?(_ typed: Typed) {
      guard let intent = typed.intent, known.contains(intent) else { return nil }
      totp = isRecovery(typed) ? nil : typed[SecretField.code.rawValue]
      recoveryCode = isRecovery(typed) ? typed[SecretField.code.rawValue] : nil
    }

    /// Whether it can be a code. A text that can be none is no try.
    var isCode: Bool {
      totp.map(FactorForms.isDigits) ?? recoveryCode.map { RecoveryCode(typed: $0) != nil } ?? false
    }
  }

  /// The step after a form that needs no verdict of a feature: one for the other factor, or one in which no code was
  /// typed. Nil for any other form.
  static func step(_ typed: Typed, _ visit: inout Visit) -> Step? {
    if typed.given(other) != nil {
      visit.flow.byRecoveryCode = visit.flow.byRecoveryCode == true ? nil : true
      return .page(visit.path)
    }
    guard let sent = Sent(typed) else { return nil }
    // GUARD: pages: a text that is no code is no try
    guard !sent.isCode else { return nil }
    return .problems([FormProblem(field: SecretField.code.rawValue, message: visit.words.secondStep.wrong)])
  }
}

extension Visit {
  /// Whether the signed-in person has second factors: only they are a fresh proof then.
  var hasFactors: Bool { signedIn?.user.factors.isEmpty == false }

  /// Whether the password is a fresh proof of the signed-in person.
  var provesByPassword: Bool { hasPassword && !hasFactors }
}
