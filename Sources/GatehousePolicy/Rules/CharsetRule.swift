extension RuleKind {
  /// Every code point is one of these.
  public static let charset = RuleKind(
    "charset", at: [.field], fieldTypes: [.string], shape: .characters, parameterName: "characters",
    meaning: "Only these characters; letters: those of the Latin script, with marks.", strictness: .characters,
    classes: .characters,
    texts: [
      RuleText(
        .field, of: "letters", "Use only letters", "Usa solo letras", "Verwenden Sie nur Buchstaben",
        "استخدم الحروف فقط",
        sentence: .init(
          "{field} may contain only letters.", "El campo «{field}» solo puede contener letras.",
          "Das Feld „{field}“ darf nur Buchstaben enthalten.", "لا يقبل «{field}» إلا الحروف.")),
      RuleText(
        .field, "Use only {characters}", "Usa solo {characters}", "Verwenden Sie nur {characters}",
        "استخدم فقط: {characters}",
        sentence: .init(
          "{field}: use only {characters}.", "{field}: usa solo {characters}.",
          "{field}: Verwenden Sie nur {characters}.", "{field}: استخدم فقط {characters}.")),
    ]
  ) { rule, judged in
    guard case .characters(let set) = rule.parameter else { return .undecidable("no characters in the rule") }
    return set.holds(judged.text) ? .pass : .fail("a character outside the set")
  }
}

extension Rule {
  /// Whether it names the characters that a value may have.
  package var namesCharacters: Bool { kind == .charset }
}

extension RuleClasses {
  /// Texts of the set with the ends of its ranges, texts with a character beside them, and of letters those that begin
  /// with a mark.
  fileprivate static let characters = RuleClasses { rule, context in
    guard case .characters(let set) = rule.parameter else { return [] }
    let text = set.sample(like: context.text(of: .field))
    let (members, others) = (set.ends, set.endsOutside)
    var examples = members.map { Witness(.field(.string(text.around($0))), "a text with \($0.shown), of the set") }
    examples += others.map { Witness(.field(.string(text.around($0))), "a text with \($0.shown), outside the set") }
    guard set.isLetters else { return examples }
    return examples + [
      Witness(.field("q\u{301}x"), "letters with a mark"),
      Witness(.field("\u{301}q"), "a text that begins with a mark"),
    ]
  } classify: { rule, value, context in
    guard case .characters(let set) = rule.parameter, let scalars = context.seenText(value)?.unicodeScalars,
      let first = scalars.first
    else { return nil }
    if set.isLetters, Charset.isMark(first) { return "begins with a mark" }
    return scalars.allSatisfy { scalar in set.ranges.contains { $0.contains(scalar.value) } } ? "of the set" : "outside"
  }
}

extension Charset {
  /// The text where it is of the set, else one as long of a character of the set.
  fileprivate func sample(like text: String) -> String {
    if holds(Text.nfc(text)) { return text }
    let filler = members.first { !CharacterClass.isBlank($0) && !Charset.isMark($0) } ?? members.first ?? "z"
    return String(repeating: Character(filler), count: text.unicodeScalars.count)
  }

  /// The ends of each range, and one character of each class, and of none, that the set has. Only those that NFC leaves
  /// as they are.
  fileprivate var ends: [Unicode.Scalar] {
    Self.unique(
      ranges.flatMap { [$0.lowerBound, $0.upperBound] }.compactMap(Unicode.Scalar.init) + Self.oneOfEachClass(members))
  }

  /// The characters beside each range, and one of each class, and of none, that the set has not.
  fileprivate var endsOutside: [Unicode.Scalar] {
    let near = ranges.flatMap { [$0.lowerBound &- 1, $0.upperBound &+ 1] }.compactMap(Unicode.Scalar.init)
    let ascii = (0x21...0x7E as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    let others: [Unicode.Scalar] = ["\u{E9}", "\u{6F22}", "\u{1F600}"]
    func isOutside(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value > 0x20 && scalar.value != 0x7F && !contains(scalar)
    }
    return Self.unique((near + Self.oneOfEachClass((near + ascii + others).filter(isOutside))).filter(isOutside))
  }

  /// Each once, of those that stand alone.
  private static func unique(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var seen: Set<Unicode.Scalar> = []
    return scalars.filter { Text.isStable($0) && !isMark($0) && seen.insert($0).inserted }
  }

  private var members: [Unicode.Scalar] {
    ranges.flatMap { range in
      let end = min(range.upperBound, range.lowerBound + 64)
      return (range.lowerBound...end).compactMap(Unicode.Scalar.init).filter(Text.isStable)
    }
  }

  private static func oneOfEachClass(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var seen: Set<CharacterClass?> = []
    return scalars.filter { scalar in
      guard Text.isStable(scalar), !isMark(scalar) else { return false }
      return seen.insert(CharacterClass.allCases.first { $0.contains(scalar) }).inserted
    }
  }
}

extension Text {
  fileprivate static func isStable(_ scalar: Unicode.Scalar) -> Bool { same(nfc(String(scalar)), String(scalar)) }
}

extension String {
  /// The text with this character in the place of its second, so that `trim` leaves it.
  fileprivate func around(_ scalar: Unicode.Scalar) -> String {
    var scalars = Array(unicodeScalars)
    if scalars.count < 3 {
      guard CharacterClass.isBlank(scalar) else { return String(repeating: Character(scalar), count: scalars.count) }
      return String(scalars.prefix(1)[0]) + String(scalar) + String(scalars.prefix(1)[0])
    }
    scalars[1] = scalar
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }
}

extension Unicode.Scalar {
  fileprivate var shown: String { "U+" + String(value, radix: 16, uppercase: true) }
}
