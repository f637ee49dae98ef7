/// One text in several languages, keyed by BCP 47 language tag (`en`, `es`, `pt-BR`).
public struct Texts: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// Text by language tag.
  public var byLanguage: [String: String]

  /// Text by language tag.
  public init(_ byLanguage: [String: String]) { self.byLanguage = byLanguage }

  /// The last of repeated tags counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    byLanguage = Dictionary(elements, uniquingKeysWith: { _, last in last })
  }

  /// Whether there is no text in any language.
  public var isEmpty: Bool { byLanguage.isEmpty }

  /// The text in the first of `languages` there is one for: the exact tag, else its primary language (`es` for
  /// `es-MX`), else English, else the first by tag; nil only when there is no text at all. Tags compare without case
  /// (RFC 4647, lookup).
  public func text(in languages: [String]) -> String? {
    for language in languages {
      if let exact = entry(language) { return exact }
      if let primary = language.split(separator: "-").first, primary.utf8.count < language.utf8.count,
        let text = entry(String(primary))
      {
        return text
      }
    }
    return byLanguage["en"] ?? byLanguage.min { $0.key < $1.key }?.value
  }

  /// The text for one language alone: the exact tag, else its primary language, else another tag of that language. Nil
  /// where all texts are in other languages, so that a page stays in one language.
  public func text(for language: String) -> String? {
    func primary(_ tag: String) -> String { tag.lowercased().prefix { $0 != "-" }.description }
    if let text = entry(language) ?? entry(primary(language)) { return text }
    return byLanguage.filter { primary($0.key) == primary(language) }.min { $0.key < $1.key }?.value
  }

  private func entry(_ language: String) -> String? {
    if let text = byLanguage[language] { return text }
    let wanted = language.lowercased()
    return byLanguage.first { $0.key.lowercased() == wanted }?.value
  }
}
