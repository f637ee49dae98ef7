/// The catalogue's texts of a kind of rule at one place, in every language.
///
/// In all, a mark in braces stands for the rule's parameter. In a sentence `{field}` stands for the field as people
/// read it; in most in quotation marks behind "the field", so that the grammar is right for every gender.
struct RuleText: Sendable {
  /// The place of the rule.
  let target: RuleTarget
  /// The part of the parameter that decides on the words: `uppercase`, `phone.US`, `letters`; empty where none does.
  let variant: String
  /// The row of a checklist.
  let short: Spoken
  /// The sentence that stands alone.
  let sentence: Sentences.Template

  init(
    _ target: RuleTarget, of variant: String = "", _ en: String, _ es: String, _ de: String, _ ar: String,
    sentence: Sentences.Template
  ) {
    self.target = target
    self.variant = variant
    short = Spoken(en, es, de, ar)
    self.sentence = sentence
  }
}

extension Rule {
  /// The texts of the catalogue; nil at a place for which the kind has none. `region` is that of a telephone number.
  func text(region: String?) -> RuleText? {
    let here = kind.texts.filter { $0.target == target }
    guard here.count > 1 else { return here.first }
    for variant in variants(region: region) {
      if let text = here.first(where: { Text.same($0.variant, variant) }) { return text }
    }
    return here.last
  }

  /// The variants that may have words of their own, the closest first.
  private func variants(region: String?) -> [String] {
    switch parameter {
    case .text(let word): region.map { ["\(word).\($0)", word] } ?? [word]
    case .characters(let set): set.isLetters ? [Charset.letters] : [""]
    case .flag, .integer, .texts, .domains, .duration: [""]
    }
  }
}
