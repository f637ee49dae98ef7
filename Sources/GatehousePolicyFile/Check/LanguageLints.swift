import GatehousePolicy

/// Texts of the file that leave out a language which the app speaks, and languages that Gatehouse has no words in.
extension Linter {
  func languages() {
    guard let root = file.document.root else { return }
    let spoken = policy.app.locales
    for tag in root["app"]?["locales"]?.list ?? [] { judge(tag) }
    let messages = root["messages"]?.map ?? []
    let named = messages.filter { ["pages", "mails"].contains($0.key) }.flatMap { $0.value.map ?? [] }
    let parts = named.flatMap { $0.value.map ?? [] }
    for entry in messages.filter({ !["pages", "mails"].contains($0.key) }) + parts { judge(entry, spoken) }
    // The names of fields are no keys of the language.
    let fields = (root["profile"]?["fields"]?.map ?? []).map(\.value)
    var open = [root["identifiers"]?["email"], root["password"]].compactMap(\.self) + fields
    while let node = open.popLast() {
      switch node.content {
      case .scalar: break
      case .list(let members): open += members
      case .map(let entries):
        for entry in entries {
          switch entry.key {
          case "message", "sentence": judge(entry, spoken)
          // The name of the field stands in for English.
          case "label": judge(entry, spoken.filter { $0.lowercased().prefix { $0 != "-" } != "en" })
          default: open.append(entry.value)
          }
        }
      }
    }
  }

  /// The pages, mails and sentences that come with Gatehouse.
  private func judge(_ tag: Node) {
    guard let text = tag.text, policy.app.locales.contains(text), Language(tag: text) == nil else { return }
    let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
    sink.warning(
      .wordlessLanguage, "Gatehouse has no words in \(text)", at: tag.range,
      notes: [.init("it has words in \(known); readers of \(text) get English pages and mails")])
  }

  /// A text of `es` serves `es-MX` as well.
  private func judge(_ entry: Node.Entry, _ spoken: [String]) {
    let written = Set((entry.value.map ?? []).map { $0.key.lowercased() })
    let missing = spoken.filter { language in
      let language = language.lowercased()
      return !written.contains(language) && !written.contains(String(language.prefix { $0 != "-" }))
    }
    guard !missing.isEmpty, entry.value.map != nil else { return }
    sink.warning(
      .missingLanguage, "\(entry.key) has no text in \(missing.joined(separator: ", "))", at: entry.keyRange,
      notes: [.init("app.locales lists it; its readers get another language")])
  }
}
