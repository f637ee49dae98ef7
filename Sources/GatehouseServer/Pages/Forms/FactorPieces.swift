import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The parts and screens of the page of second factors.
enum FactorPieces {
  /// Whether people can add an authenticator app.
  private static func addsApps(_ visit: Visit) -> Bool { visit.policy.mfa?.factors.contains(.totp) == true }

  /// Whether passkeys are the only kind.
  private static func isOfPasskeys(_ visit: Visit) -> Bool { visit.addsPasskeys && !addsApps(visit) }

  static func heading(_ visit: Visit) -> String {
    isOfPasskeys(visit) ? visit.words.passkeys.heading : visit.words.factors.heading
  }

  static func lead(_ visit: Visit) -> String {
    let words = visit.words.passkeys
    guard visit.addsPasskeys else { return visit.words.factors.lead }
    return addsApps(visit) ? words.leadOfBoth : words.lead
  }

  /// The list without a factor.
  static func none(_ visit: Visit) -> Screen.Piece {
    guard visit.addsPasskeys else { return Pieces.empty(.phone, visit.words.factors.none) }
    let words = visit.words.passkeys
    return Pieces.empty(.key, addsApps(visit) ? words.noneOfBoth : words.none)
  }

  /// The forms that add an authenticator app and a passkey, where the policy lets people add one.
  static func add(beside items: [FactorRecord], _ visit: Visit) -> [Screen.Piece] {
    let passkeys = items.filter { $0.type == PasskeyForms.method }.count
    var pieces: [Screen.Piece] = []
    if addsApps(visit), items.count - passkeys < AuthenticatorApp.perUser {
      let words = visit.words.factors
      let form = Form(
        fields: [name(visit)], button: words.add, style: items.isEmpty ? .primary : .secondary,
        intent: FactorIntent.start)
      let heading = items.count > passkeys ? words.another : words.app
      pieces += (items.isEmpty ? [] : [.html("<h2>\(heading)</h2>")]) + [.form(form)]
    }
    if visit.addsPasskeys, passkeys < Passkey.perUser {
      let words = visit.words.passkeys
      var field = name(visit, called: passkeyNameField)
      field.hint = "\(words.nameHint)"
      let form = PasskeyForms.add(
        field, style: items.isEmpty && pieces.isEmpty ? .primary : .secondary, intent: FactorIntent.addPasskey, visit)
      let another: Screen.Piece = .html(
        "<h2 data-with-passkeys hidden>\(passkeys > 0 ? words.another : words.passkey)</h2>")
      let without = pieces.isEmpty && items.isEmpty ? [PasskeyForms.without(visit)] : []
      pieces += (items.isEmpty ? [] : [another]) + [.form(form)] + without
    }
    return pieces
  }

  /// The titles of the factors in the list. Those of one name are told apart by a number.
  static func titles(_ factors: [FactorRecord], _ visit: Visit) -> [String] {
    let names = factors.map { $0.name ?? ($0.isPasskey ? visit.words.passkeys.passkey : visit.words.factors.app) }
    return names.enumerated().map { place, name in
      let former = names[..<place].filter { $0 == name }.count
      return former == 0 ? name : "\(name) (\(former + 1))"
    }
  }

  /// A factor in the list, with what can be done to it.
  static func part(_ factor: FactorRecord, titled title: String, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.factors
    let used: HTML =
      if let moment = factor.lastUsedAt {
        " \(visit.words.devices.lastUsed) \(visit.words.moments.element(moment))"
      } else { "" }
    let place = factor.synced.map { $0 ? visit.words.passkeys.synced : visit.words.passkeys.single }
    let synced: HTML = if let place { " \(place)" } else { "" }
    let text: HTML = "\(words.since(visit.words.moments.day(factor.createdAt)))\(synced)\(used)"
    func form(_ button: String, _ style: Form.Style, _ intent: String) -> Screen.Piece {
      .form(
        Form(
          button: button, style: style, intent: intent, label: "\(button): \(title)",
          values: [(name: "factor", value: factor.id)]))
    }
    return [
      Pieces.part(title, text, icon: factor.isPasskey ? .key : .phone), form(words.rename, .plain, FactorIntent.rename),
      form(words.remove, .danger, FactorIntent.remove),
    ]
  }

  /// The field of the name that its owner gives a factor.
  static let nameField = "factor_name"
  /// The same of a passkey that is being added: the page has one form for each kind.
  static let passkeyNameField = "passkey_name"

  static func name(_ visit: Visit, called field: String = nameField, value: String = "") -> FormField {
    FormField(
      name: field, label: visit.words.factors.name, kind: .text, value: value,
      hint: "\(visit.words.factors.nameHint)",
      isRequired: false)
  }

  /// The screen that asks for another name of a factor, or whether it is to be removed.
  static func asking(
    _ deed: Flow.FactorChoice.Deed, _ factor: FactorRecord, titled title: String, isLast: Bool, _ visit: Visit
  ) -> Screen {
    let words = visit.words.factors
    let values = [(name: "factor", value: factor.id), (name: "kind", value: factor.type)]
    let passkey = factor.isPasskey ? visit.words.passkeys : nil
    switch deed {
    case .rename:
      let form = Form(
        fields: [name(visit, value: factor.name ?? "")], button: visit.words.profile.save, intent: FactorIntent.named,
        values: values)
      return Screen(passkey?.renaming ?? words.renaming, [.form(form), cancel(visit)])
    case .remove:
      let held = Form(button: words.removeHeld, style: .danger, intent: FactorIntent.removed, values: values)
      let lost = Form(button: words.removeLost, style: .danger, intent: FactorIntent.lost, values: values)
      return Screen(
        words.removing(title),
        [
          Pieces.text(
            isLast ? passkey?.removingLast ?? words.removingLast : passkey?.removingOne ?? words.removingOne),
          Pieces.text(words.whetherLost), .form(held), .form(lost), cancel(visit),
        ])
    }
  }

  private static func cancel(_ visit: Visit) -> Screen.Piece {
    .form(Form(button: visit.words.factors.cancel, style: .plain, intent: FactorIntent.cancel))
  }

  /// The screen with the seed, which asks for the first code. Refuses nothing: a seed that is none is not in a flow.
  static func adding(_ enrolment: Flow.Enrolment, _ visit: Visit) throws -> Screen {
    let words = visit.words.factors
    guard let seed = Base32.decode(enrolment.secret), let user = visit.signedIn?.user else { throw Refusal(.notFound) }
    let address = AuthenticatorAddress(app: visit.app, email: user.reference, seed: Secret(seed)).text.expose { $0 }
    let drawing = try QRCode.drawing(of: address)
    let side = String(drawing.side)
    let form = Form(fields: [Pieces.codeField(visit)], button: visit.words.signIn.confirm, intent: FactorIntent.confirm)
    return Screen(
      words.add,
      [
        Pieces.text(words.scan),
        // A reader of the code needs dark on light, in every light of the page.
        .html(
          """
          <svg class="qr" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges" role="img" aria-label="\(words.picture)">
          <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path stroke="#000" d="\(drawing.path)"/>
          </svg>
          """),
        Pieces.links([(words.open, address)]),
        .html("<p>\(words.key)<br><code class=\"key\" dir=\"ltr\">\(groups(enrolment.secret))</code></p>"),
        Pieces.text(words.digits), .form(form), cancel(visit),
      ])
  }

  /// In groups of four, as people type it.
  private static func groups(_ text: String) -> String {
    var groups: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      groups.append(rest.prefix(4))
      rest = rest.dropFirst(4)
    }
    return groups.joined(separator: " ")
  }

  /// The screen with new recovery codes, which no other one shows again. `areOthers`: in the place of former ones.
  static func codes(_ codes: [String], areOthers: Bool, _ visit: Visit) -> Screen {
    let words = visit.words.factors
    var screen = Screen(
      words.keepCodes, lead: words.codesLead,
      (areOthers ? [Pieces.text(words.formerCodes)] : []) + [
        .html(
          """
          <ol class="spare" dir="ltr">
          \(HTML(codes.map { "<li><code>\($0)</code></li>" }))
          </ol>
          """),
        .form(Form(button: words.kept, intent: FactorIntent.kept)),
      ])
    screen.isShownOnce = true
    return screen
  }
}

extension FactorRecord {
  fileprivate var isPasskey: Bool { type == PasskeyForms.method }
}
