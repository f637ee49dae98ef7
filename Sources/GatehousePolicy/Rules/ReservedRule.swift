extension RuleKind {
  /// The value is none of these words, compared without case; of a field with `charset: letters` also without marks.
  public static let reserved = RuleKind(
    "reserved", at: [.field], fieldTypes: [.string], shape: .texts, parameterName: "words",
    meaning: "None of these words, without case.", strictness: .moreWordsAreStricter, classes: .words,
    texts: [
      RuleText(
        .field, "This name is not available", "Este nombre no está disponible", "Dieser Name ist nicht verfügbar",
        "هذا الاسم غير متاح",
        sentence: .init(
          "{field}: this name is not available.", "{field}: este nombre no está disponible.",
          "{field}: Dieser Name ist nicht verfügbar.", "{field}: هذا الاسم غير متاح."))
    ]
  ) { rule, judged in
    guard case .texts(let words) = rule.parameter else { return .undecidable("no words in the rule") }
    // GUARD: letters: reserved without marks
    let ignoresMarks = judged.ignoresMarks
    func key(_ text: String) -> String? { UniqueText.key(text, ignoringCase: true, ignoringMarks: ignoresMarks) }
    guard let value = key(judged.text) else { return .pass }
    return words.contains { key($0).map { Text.same($0, value) } == true } ? .fail("a reserved word") : .pass
  }
}

extension Rule {
  /// The words that it refuses; nil for a rule of another kind.
  package var reservedWords: [String]? { texts(of: .reserved) }
}

extension RuleClasses {
  /// Each word, the first in capitals too, and a text that is no word of the list.
  fileprivate static let words = RuleClasses { rule, context in
    guard case .texts(let words) = rule.parameter, let word = words.first else { return [] }
    let fold = context.fold
    var other = context.text(of: .field)
    while words.contains(where: { fold($0) == fold(other) }) { other += "z" }
    return words.map { Witness(.field(.string($0)), "the word \($0)") } + [
      Witness(.field(.string(word.uppercased())), "the word \(word) in capitals"),
      Witness(.field(.string(other)), "no word of the list"),
    ]
  } classify: { rule, value, context in
    guard case .texts(let words) = rule.parameter, let text = context.seenText(value) else { return nil }
    let folded = context.fold(text)
    return words.contains { context.fold($0) == folded } ? "a word of the list" : "no word of the list"
  }
}

extension WitnessContext {
  fileprivate var fold: (String) -> [UInt8] {
    let ignoresMarks = field?.ignoresMarks == true
    return { Array((ignoresMarks ? Text.foldedWithoutMarks($0) : Text.folded($0)).utf8) }
  }
}
