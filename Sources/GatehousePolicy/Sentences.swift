/// The catalogue's sentences: each stands alone, in an alert, and names the field that it is about (`RuleText`).
enum Sentences {
  /// A sentence, and another one where the rule's number is one or its list has one member.
  struct Template: Sendable {
    let many: Spoken
    let one: Spoken?

    init(_ en: String, _ es: String, _ de: String, _ ar: String, one: Spoken? = nil) {
      many = Spoken(en, es, de, ar)
      self.one = one
    }
  }

  /// The sentence of a rule; nil at a place for which its kind has none.
  static func texts(of rule: Rule, region: String?, label: Texts, as flaw: Flaw? = nil) -> Texts? {
    guard let template = (flaw?.text ?? rule.text(region: region))?.sentence else { return nil }
    let value = rule.parameter.value
    let spoken = value?.isOne == true ? template.one ?? template.many : template.many
    return spoken.texts { language, text in
      filled(text) { mark in
        mark == "field"
          ? language.embedded(label.text(in: [language.rawValue]) ?? "") : rule.parameter.shown(in: language)
      }
    }
  }

  /// The template with a value in the place of each mark, in one pass: what a value says is no mark. Over bytes, as
  /// every refusal does it, and searching strings by their characters cost more than the whole decision.
  static func filled(_ template: String, _ value: (Substring) -> String?) -> String {
    guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
    var rest = template[...]
    var result = ""
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      result += rest[..<open]
      result += value(rest[rest.utf8.index(after: open)..<close]) ?? ""
      rest = rest[rest.utf8.index(after: close)...]
    }
    return result + rest
  }
}

extension ParameterValue {
  fileprivate var isOne: Bool {
    switch self {
    case .integer(let number): number == 1
    case .strings(let words): words.count == 1
    case .string, .boolean: false
    }
  }
}

extension Parameter {
  /// As people read it; nil where a rule has none.
  func shown(in language: Language) -> String? {
    if case .characters(let set) = self { return set.words(in: language) }
    return switch value {
    case nil: nil
    case .integer(let number)?: String(number)
    case .string(let word)?: language.embedded(word)
    case .strings(let words)?: words.map(language.embedded).joined(separator: language == .arabic ? "، " : ", ")
    case .boolean(let flag)?: String(flag)
    }
  }
}
