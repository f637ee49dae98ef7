import GatehouseIdentity
import GatehousePrimitives
import GatehouseWire

/// The pages that mails link to. Their raw values are the last part of the path.
enum LinkPage: String, CaseIterable, Sendable {
  case verifyEmail = "verify-email"
  case resetPassword = "reset-password"
  case confirmEmail = "confirm-email"
  case undoEmail = "undo-email"

  /// Whether a text has the form of a token that leads to this page: anything else gets no cookie.
  func mayHold(_ token: String) -> Bool {
    CodePurpose.allCases.contains { purpose in
      // GUARD: pages: a cookie holds a token of ours
      purpose.page == rawValue && OpaqueToken.digest(of: token, kind: purpose.tokenKind) != nil
    }
  }
}

/// The texts of a page about one link.
struct PageTexts: Sendable, Equatable {
  var title: String
  var lead: String
  var button: String
  /// The title and the text when it is done.
  var doneTitle: String
  var done: String
}

/// The texts that all pages share, in one language.
struct PageWords: Sendable {
  /// The language of these words, for the `lang` attribute; it may differ from the requested one.
  let language: String
  /// Before the title of a page that tells of a trouble.
  let troubleMark: String
  let help: String
  let newPassword: String
  /// The label of an account's password, and of the one that was chosen at a sign-up.
  let yourPassword: String
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
  /// Before the app's name, on the way back to it.
  let open: String
  let forms: @Sendable (LinkPage, _ address: String, _ app: String) -> PageTexts
  /// The lead of a page that asks for the account's password.
  let withPassword: @Sendable (LinkPage, _ address: String, _ app: String) -> String
  /// The lead where the account has no password to ask for.
  let inApp: @Sendable (_ app: String) -> String
  /// The page that completes a sign-up.
  let signUp: @Sendable (_ address: String, _ app: String) -> PageTexts
  /// The invitation of an operator, on the page that resets a password.
  let firstPassword: @Sendable (_ app: String) -> PageTexts
  /// The advice after a refusal; nil where the title is enough.
  let refusals: @Sendable (ErrorCode) -> (title: String, text: String?)
  /// An account at another service was linked.
  let linked: @Sendable (_ app: String) -> (title: String, text: String)
  /// The advice after a failed return from another service.
  let landings: @Sendable (ErrorCode) -> (title: String, text: String?)
  /// There is no link to act on.
  let noLink: (title: String, text: String)

  /// The words for a language tag: Spanish for `es` and its regions, English for every other tag.
  static func of(_ language: String) -> PageWords {
    let tag = language.lowercased()
    return tag == "es" || tag.hasPrefix("es-") ? .spanish : .english
  }
}
