import GatehouseIdentity
import GatehousePolicy

extension Pieces {
  /// Facts with their names, each in one line or more.
  static func facts(_ facts: [(name: String, lines: [String])]) -> Screen.Piece {
    .html(
      """
      <dl>
      \(HTML(facts.map { "<dt>\($0.name)</dt>\n\(HTML($0.lines.map { "<dd>\($0)</dd>" }))" }))
      </dl>
      """)
  }

  /// The person whose account it is: the first letter of the name in a circle, and the name.
  static func person(_ name: String) -> Screen.Piece {
    .html(
      """
      <p class="me"><span class="initial" aria-hidden="true">\(name.prefix(1).uppercased())</span>\(name)</p>
      """)
  }

  /// Ways to other pages that are what the page is for, one in each row.
  static func menu(_ ways: [(text: String, address: String)], isDanger: Bool = false) -> Screen.Piece {
    .html(
      """
      <ul class="menu\(isDanger ? " danger" : "")">
      \(HTML(ways.map { "<li><a href=\"\($0.address)\">\($0.text)</a></li>" }))
      </ul>
      """)
  }

  /// A part of a page, with what is said of it. Its form follows.
  static func part(_ heading: String, _ text: String, icon: Icon? = nil) -> Screen.Piece {
    part(heading, "\(text)" as HTML, icon: icon)
  }

  static func part(_ heading: String, _ text: HTML, icon: Icon? = nil) -> Screen.Piece {
    .html(
      """
      <h2>\(icon?.html ?? "")\(heading)</h2>
      <p>\(text)</p>
      """)
  }

  /// The way out of a page of the account: to the app that waits, else to the account.
  static func wayBack(_ visit: Visit) -> [Screen.Piece] {
    guard visit.flow.target == nil else { return GiveUp.pieces(visit) }
    return [links([(visit.words.account.back, visit.address(PagePath.account))])]
  }
}

extension Visit {
  /// Whether the signed-in person has a password that opens the account.
  var hasPassword: Bool { policy.hasPassword && signedIn?.user.passwordChangedAt != nil }

  /// Whether the session has a proof of the last minutes.
  var isRecent: Bool { isRecent(.account) }

  /// The same for doors of a demand.
  func isRecent(_ demand: FreshDemand) -> Bool { signedIn?.isRecent(for: demand, call) == true }
}

/// The way to a fresh proof and back, for people who have no password to type into a form.
enum ProofFirst {
  static let intent = "prove"

  static func pieces(_ visit: Visit) -> [Screen.Piece] {
    [
      Pieces.text(visit.words.account.proofFirst),
      .form(Form(button: visit.words.forms.proceed, intent: intent)),
    ]
  }

  static func step(_ visit: inout Visit) -> Step {
    visit.flow.page = visit.path
    return .page(PagePath.reauthenticate)
  }
}

extension ProfileFields {
  /// The fields that their owner sees, in the policy's order.
  var seen: [Field] { policy.profile.fields.filter { $0.isVisible(to: .`self`) } }

  /// The fields as facts, without those that only an administrator fills in and none has.
  func facts(_ fields: [Field], _ stored: [String: FieldValue]) -> [(name: String, lines: [String])] {
    fields.filter { $0.write != .admin || !Self.text(stored[$0.name]).isEmpty }
      .map { (name: label($0), lines: [shown($0, stored[$0.name])]) }
  }

  /// Whether the owner may set the field, given what is stored.
  func isWritable(_ field: Field, _ stored: FieldValue?) -> Bool {
    switch (field.write, stored) {
    case (.user, _), (.userAtSignUp, nil), (.userAtSignUp, .null?), (.userAtSignUp, .string("")?): true
    case (.userAtSignUp, _), (.admin, _): false
    }
  }

  /// A stored value as people read it.
  func shown(_ field: Field, _ stored: FieldValue?) -> String {
    if case .boolean(let flag)? = stored { return flag ? words.profile.yes : words.profile.no }
    let text = Self.text(stored)
    guard !text.isEmpty else { return words.profile.none }
    return switch field.type {
    case .enum, .integer: title(of: text, in: field)
    case .phone: PhoneText.national(text)
    default: text
    }
  }
}
