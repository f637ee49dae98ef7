extension RuleClasses {
  /// Texts shorter than the bound, as long, and longer.
  static let lengths = RuleClasses { rule, context in
    guard case .integer(let bound) = rule.parameter else { return [] }
    let lengths = [bound - 1, bound, bound + 1].map { Int($0) }
    var examples = lengths.map { context.example(ofLength: $0, at: rule.target) }
    let isFreeText = rule.target == .password || context.field?.type == .string
    if isFreeText, bound > 0 {
      let text = context.text(of: rule.target).resized(to: Int(bound)).with("\u{1F600}", keepsLength: true)
      examples.append(Witness(context.with(text, at: rule.target), "\(bound) characters, one outside the BMP"))
    }
    return examples
  } classify: { rule, value, context in
    guard case .integer(let bound) = rule.parameter, let text = context.seenText(value) else { return nil }
    return side(of: bound, Int64(text.unicodeScalars.count))
  }
}

extension WitnessContext {
  /// The sample with so many characters, or as near as its place allows.
  fileprivate func example(ofLength wanted: Int, at target: RuleTarget) -> Witness {
    let text: String
    switch (target, field?.type) {
    case (.email, _): text = address(ofLength: min(max(wanted, 5), EmailAddress.maxLength))
    case (.field, .url): text = url(ofLength: min(max(wanted, 8), 2048))
    default: text = self.text(of: target).resized(to: max(wanted, 1))
    }
    let count = text.unicodeScalars.count
    return Witness(with(text, at: target), "\(count) \(count == 1 ? "character" : "characters")")
  }

  /// The sample's address with its local part cut or extended at the front; with another domain where that cannot be.
  private func address(ofLength count: Int) -> String {
    let (local, domain) = address
    let room = count - 1 - domain.utf8.count
    if room < 1 { return "a@" + String(repeating: "b", count: count - 4) + ".c" }
    if room <= 64 { return Self.local(local, room) + "@" + domain }
    var labels = ""
    var rest = room - 60
    while rest > 0 {
      // A label and its dot; one byte alone would be no label.
      let part = rest == 65 ? 63 : min(64, rest)
      labels += String(repeating: "b", count: part - 1) + "."
      rest -= part
    }
    return Self.local(local, 60) + "@" + labels + domain
  }

  private static func local(_ text: String, _ count: Int) -> String {
    let kept = String(text.suffix(count))
    let rest = String(repeating: "a", count: count - kept.count) + kept
    return rest.hasPrefix(".") ? "a" + rest.dropFirst() : rest
  }

  private func url(ofLength count: Int) -> String {
    let text = text(of: .field)
    let scheme = text.hasPrefix("https://") && count > 8 ? "https://" : "http://"
    let rest = count - scheme.count
    return scheme + (rest < 3 ? String(repeating: "a", count: rest) : "a/" + String(repeating: "z", count: rest - 2))
  }
}
