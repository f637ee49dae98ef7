import GatehouseIdentity
import GatehousePolicy

/// The words of the built-in mails in one language. Texts are templates (see `MailTemplate`); a paragraph that comes
/// out empty is left out.
struct MailWords: Sendable {
  let language: Language
  /// The line before the first paragraph.
  let greeting: String
  /// Before the bare link, under the button.
  let linkHint: String
  /// How long the link works.
  let linkExpires: String
  /// The subject of every mail with a code: the code is read without the mail.
  let codeSubject: String
  /// Before the code when there is no link.
  let codeAlone: String
  /// Before the code when there is a link too.
  let codeToo: String
  /// How long the code works.
  let codeExpires: String
  /// After every code.
  let codeWarning: String
  /// The last lines of every mail.
  let footer: [String]
  /// The names of the terms of service and of the privacy policy, below the footer.
  let terms, privacy: String
  /// Each unit with its number, as in "24 hours".
  let minute, hour, day: CountedWords
  /// The letter of a kind. A switch, so that a new kind does not compile without its words.
  let letter: @Sendable (MessageKind) -> MailLetter

  /// The words of a language, which are made once they are asked for.
  static func of(_ language: Language) -> MailWords {
    switch language {
    case .english: .english
    case .spanish: .spanish
    case .german: .german
    case .arabic: .arabic
    }
  }

  /// A length of time in words: days from two on, hours, else minutes.
  func duration(minutes: Int) -> String {
    let minutes = max(1, minutes)
    let (count, unit) =
      if minutes % 1440 == 0 && minutes >= 2880 {
        (minutes / 1440, day)
      } else if minutes % 60 == 0 {
        (minutes / 60, hour)
      } else {
        (minutes, minute)
      }
    return unit.text(count, in: language)
  }
}

/// The words of one kind of mail, without the link and code, which every kind shows in the same way.
struct MailLetter: Sendable {
  let subject: String
  let heading: String
  /// Paragraphs before the link and the code.
  let lead: [String]
  /// The label of the button, when the order has a link.
  let button: String
  /// Paragraphs after the link and the code: what to do if it was not you.
  let closing: [String]
  /// The text beside the subject in the list of a mail program; the first paragraph where it is nil.
  var preheader: String?
}
