public import Foundation

extension Policy {
  /// The rules on passwords in the language of iCloud Keychain and the `passwordrules` attribute of browsers:
  /// `minlength: 8; maxlength: 128; required: upper; required: lower; required: digit;`. Rules that warn take part, so
  /// that a generated password still holds when they bind; what the language can not say (lists, names, strength) no
  /// random password of that length meets by chance. Without a class every printable ASCII character is allowed.
  public func passwordRules(at instant: Date) -> String {
    var min: Int64 = 0
    var max = Int64.max
    var classes: Set<CharacterClass> = []
    for rule in password.rules where rule.disclose && rule.enforcement.mode(at: instant) != .off {
      switch (rule.kind, rule.parameter) {
      case (.minLength, .integer(let bound)): min = Swift.max(min, bound)
      case (.maxLength, .integer(let bound)): max = Swift.min(max, bound)
      case (.require, .text(let name)): if let wanted = CharacterClass(rawValue: name) { classes.insert(wanted) }
      default: break
      }
    }
    var parts = min > 0 ? ["minlength: \(min);"] : []
    if max < .max { parts.append("maxlength: \(max);") }
    let names: [(CharacterClass, String)] = [
      (.uppercase, "upper"), (.lowercase, "lower"), (.digit, "digit"), (.special, "special"),
    ]
    parts += names.filter { classes.contains($0.0) }.map { "required: \($0.1);" }
    if classes.isEmpty { parts.append("allowed: ascii-printable;") }
    return parts.joined(separator: " ")
  }
}

private func ~= (kind: RuleKind, other: RuleKind) -> Bool { kind == other }
