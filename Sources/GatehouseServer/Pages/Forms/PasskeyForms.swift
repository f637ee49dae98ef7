import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The forms that a passkey fills in. They are forms like all others: their script asks the page's own address for
/// options, with the fields of the form, and sends the form with the answer in it.
enum PasskeyForms {
  /// The method, and the intent of the forms that ask who is there.
  static let method = Proof.Method.passkey.name

  private typealias Field = PasskeyUse.Field

  // MARK: Pieces

  /// - Parameters:
  ///   - button: its words.
  ///   - options: those that the page has already; nil where the script asks for them.
  ///   - borrowed: fields of the page's main form that count for this one, too.
  static func use(
    _ button: String, style: Form.Style = .primary, options: RequestOptions? = nil, borrowed: [String] = [],
    waits: Bool = false, isFormer: Bool = false, _ visit: Visit
  ) throws -> Form {
    var form = Form(button: button, style: style, intent: method)
    form.passkey = PasskeyUse(
      ceremony: .get, options: try options.map { String(decoding: try JSONEncoding.encode($0), as: UTF8.self) },
      borrowed: borrowed, waits: waits, isFormer: isFormer, told: told(visit))
    return form
  }

  /// The form that adds a passkey, with the field of its name where it has one.
  static func add(
    _ name: FormField? = nil, style: Form.Style = .primary, intent: String, isSilent: Bool = false, _ visit: Visit
  ) -> Form {
    var form = Form(fields: name.map { [$0] } ?? [], button: visit.words.passkeys.add, style: style, intent: intent)
    var told = told(visit)
    told.known = visit.words.passkeys.known
    form.passkey = PasskeyUse(ceremony: .create, isSilent: isSilent, told: told)
    return form
  }

  /// The form that makes an account with a passkey: with these fields, or with those of the main form of this page.
  static func signUp(_ fields: [FormField], borrows: Bool, _ visit: Visit) -> Form {
    var form = Form(
      fields: borrows ? [] : fields, button: visit.words.passkeys.signUp, style: borrows ? .secondary : .primary,
      intent: method)
    form.passkey = PasskeyUse(ceremony: .create, borrowed: borrows ? fields.map(\.name) : [], told: told(visit))
    return form
  }

  private static func told(_ visit: Visit) -> PasskeyUse.Told {
    PasskeyUse.Told(cancelled: visit.words.passkeys.cancelled, failed: visit.words.passkeys.failed)
  }

  /// The state of the account for the person's passkey manager, as JSON; nil elsewhere than at the relying party.
  static func signal(_ signal: PasskeySignal?, _ visit: Visit) -> String? {
    guard visit.call.isAtRelyingParty, let signal else { return nil }
    return (try? JSONEncoding.encode(signal)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same on a page that shows no factors. Without an answer of the store nothing is told.
  static func signal(_ visit: Visit) async -> String? {
    signal(try? await visit.reads.factors(visit.call).signal, visit)
  }

  /// A line above codes that stand in for a passkey. Without scripts there are the codes alone.
  static func orCode(_ visit: Visit) -> Screen.Piece {
    .html("<p class=\"or\" data-with-passkeys hidden>\(visit.words.passkeys.orCode)</p>")
  }

  /// The sentence of a page on which nothing but a passkey would do, for a browser that uses none. The script hides it.
  static func without(_ visit: Visit) -> Screen.Piece {
    .html("<p data-without-passkeys>\(visit.words.passkeys.without)</p>")
  }

  // MARK: Forms that were sent

  /// Whether a form was sent with the answer of an authenticator.
  static func isAnswer(_ typed: Typed, intent: String = method) -> Bool {
    typed.intent == intent && !asksForOptions(typed) && !typed[Field.answer.rawValue].isEmpty
  }

  /// Whether the script asks for options.
  static func asksForOptions(_ typed: Typed) -> Bool { typed.given(Field.options.rawValue) != nil }

  /// The name of the ceremony that a form answers.
  static func challenge(_ typed: Typed) -> String { typed[Field.challenge.rawValue] }

  /// The answer of an authenticator; nil for a form without one. Refuses `passkey_invalid` for a text that is none.
  static func answer<Given: StandardCodable>(_ typed: Typed, as type: Given.Type) throws -> Given? {
    let text = typed[Field.answer.rawValue]
    guard !asksForOptions(typed), !text.isEmpty else { return nil }
    do {
      return try StrictDecoder.decode(type, from: Array(text.utf8))
    } catch {
      throw Refusal(.passkeyInvalid)
    }
  }

  /// The step after a form without an answer: options for the script. A form that was sent by a script that got none
  /// says so, unless making them was refused.
  static func step(_ typed: Typed, _ visit: Visit, _ options: some Encodable) throws -> Step {
    guard asksForOptions(typed) else { return problem(visit.words.passkeys.failed) }
    var answer = Answer.json(try JSONEncoding.encode(options, spelling: .contract))
    answer.headers.set("Cache-Control", "no-store")
    return .answer(answer)
  }

  /// The step after an answer that came too late, or to options that were used.
  static func over(_ visit: Visit) -> Step { problem(visit.words.passkeys.over) }

  private static func problem(_ sentence: String) -> Step { .problems([FormProblem(field: nil, message: sentence)]) }
}

extension Visit {
  /// Whether a passkey signs in here.
  var signsInByPasskey: Bool { policy.uses(passkeysFor: .signIn) && call.isAtRelyingParty }

  /// Whether a passkey makes an account here.
  var signsUpByPasskey: Bool { policy.uses(passkeysFor: .signUp) && call.isAtRelyingParty }

  /// The domain of the relying party before, while its passkeys sign in here; nil where there is none.
  var formerDomain: String? {
    guard signsInByPasskey, let former = policy.passkeys?.former, call.now < former.until.start else { return nil }
    return former.id
  }

  /// Whether a passkey can be added here.
  var addsPasskeys: Bool { policy.admits(.passkey) && call.isAtRelyingParty }
}
