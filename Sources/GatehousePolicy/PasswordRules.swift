public import Foundation

extension Policy {
  /// The rules on passwords in the language of iCloud Keychain and the `passwordrules` attribute of browsers:
  /// `minlength: 8; maxlength: 128; required: upper; required: lower; required: digit;`. Rules that warn take part, so
  /// that a generated password still holds when they bind. A strength becomes a length that random characters reach it
  /// with; what else the language can not say (lists, names) no random password of that length meets by chance. Without
  /// a class every printable ASCII character is allowed. Empty where the password door is closed.
  public func passwordRules(at instant: Date) -> String {
    guard hasPassword else { return "" }
    var min: Int64 = 0
    var max = Int64.max
    var classes: Set<CharacterClass> = []
    for rule in password.rules where rule.disclose && rule.enforcement.mode(at: instant) != .off {
      if let bound = rule.shortest { min = Swift.max(min, bound) }
      if let bound = rule.longest { max = Swift.min(max, bound) }
      if let score = rule.leastStrength { min = Swift.max(min, length(reaching: score)) }
      if let wanted = rule.requiredClass { classes.insert(wanted) }
    }
    min = Swift.min(min, max)
    var parts = min > 0 ? ["minlength: \(min);"] : []
    if max < .max { parts.append("maxlength: \(max);") }
    let names: [(CharacterClass, String)] = [
      (.uppercase, "upper"), (.lowercase, "lower"), (.digit, "digit"), (.special, "special"),
    ]
    parts += names.filter { classes.contains($0.0) }.map { "required: \($0.1);" }
    if classes.isEmpty { parts.append("allowed: ascii-printable;") }
    return parts.joined(separator: " ")
  }

  /// Estimates count ten guesses for a random character, and words and dates that arise by chance cost some of them:
  /// the thresholds are 10³, 10⁶, 10⁸ and 10¹⁰.
  private func length(reaching score: Int64) -> Int64 {
    switch score {
    case ...0: 0
    case 1: 8
    case 2: 11
    case 3: 14
    default: 16
    }
  }
}
