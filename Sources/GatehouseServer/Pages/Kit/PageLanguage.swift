/// A language that pages are in.
enum PageLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case spanish = "es"

  /// The language for a tag: Spanish for `es` and its regions, English for every other tag.
  init(for tag: String) {
    let tag = tag.lowercased()
    self = tag == "es" || tag.hasPrefix("es-") ? .spanish : .english
  }

  /// The language's own name.
  var name: String {
    switch self {
    case .english: "English"
    case .spanish: "Español"
    }
  }
}
