import GatehouseWire

/// The texts of a page about one link.
struct LinkTexts: Sendable, Equatable {
  var title: String
  var lead: String
  var button: String
  /// The title and the text when it is done.
  var doneTitle: String
  var done: String
}

/// The word that is typed before a change of address is undone.
struct UndoWord: Sendable, Equatable {
  let word: String
  let label: String
  let missing: String

  /// Whether a text is the word, in any case and with anything around it that is no letter.
  func isTyped(_ text: String) -> Bool {
    text.lowercased().filter(\.isLetter).utf8.elementsEqual(word.lowercased().utf8)
  }
}

/// The texts of the pages behind the links of mails, in one language.
struct LinkWords: Sendable {
  let newPassword: String
  /// The label of an account's password, and of the one that was chosen at a sign-up.
  let chosenPassword: String
  let wrongPassword: String
  let missingPassword: String
  /// Above what was typed at a sign-up.
  let typed: String
  /// Above the form with another password for a sign-up, what becomes of it, and its button.
  let otherPassword: String
  let otherLead: String
  let takeOver: String
  let user: String
  let undoWord: UndoWord
  let forms: @Sendable (LinkPage, _ address: String, _ app: String) -> LinkTexts
  /// The lead of a page that asks for the account's password.
  let withPassword: @Sendable (LinkPage, _ address: String, _ app: String) -> String
  /// The lead where the account has no password to ask for.
  let inApp: @Sendable (_ app: String) -> String
  /// The page that completes a sign-up.
  let signUp: @Sendable (_ address: String, _ app: String) -> LinkTexts
  /// The invitation of an operator, on the page that resets a password.
  let firstPassword: @Sendable (_ app: String) -> LinkTexts
  /// The advice after a refusal; nil where the title is enough.
  let refusals: @Sendable (ErrorCode) -> (title: String, text: String?)
  /// There is no link to act on.
  let noLink: (title: String, text: String)
  /// The way to another link.
  let another: String
}
