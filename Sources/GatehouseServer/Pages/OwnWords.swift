import GatehousePolicy

/// The tenant's own words for pages, in the language of one page.
struct OwnWords: Sendable {
  private let messages: Messages
  private let language, app: String

  /// - Parameter language: the tag of the page's language.
  init(_ policy: Policy, in language: String) {
    (messages, self.language, app) = (policy.messages, language, policy.app.name)
  }

  /// Nil for a screen without a name of the policy.
  func words(_ screen: String) -> ScreenWords? {
    guard let page = Messages.Page(rawValue: screen) else { return nil }
    func text(_ part: TextPart) -> String? { messages.text(part, of: page, in: language, app: app) }
    return ScreenWords(heading: text(.heading), lead: text(.lead), button: text(.button))
  }
}

extension Screen {
  /// A screen that a policy can word.
  init(
    _ heading: String, of page: Messages.Page?, lead: String? = nil, isDone: Bool = false, _ pieces: [Piece]
  ) {
    self.init(heading, named: page?.rawValue, lead: lead, isDone: isDone, pieces)
  }
}
