import GatehousePolicyFile

/// The senders that policies may name.
struct SenderList: Sendable, Equatable {
  let patterns: [SenderPattern]

  /// Addresses and domains with commas or blanks between them; `nil` if one is none.
  init?(_ text: String) {
    let parts = text.split { $0 == "," || $0 == " " }
    guard !parts.isEmpty, parts.count <= 256 else { return nil }
    var patterns: [SenderPattern] = []
    for part in parts {
      guard let pattern = SenderPattern(String(part)) else { return nil }
      patterns.append(pattern)
    }
    self.patterns = patterns
  }

  var text: String { patterns.map(\.description).joined(separator: ", ") }
}

extension Kind where Value == SenderList {
  /// Addresses, and domains whose addresses are all allowed; each for one tenant or for all.
  static let senders = Kind(
    placeholder: "SENDERS",
    expects:
      "addresses and domains like no-reply@app.example, app.example, *.app.example; of one tenant with its name, dd-ride:app.example",
    parse: { SenderList($0) }, show: { $0.text })
}
