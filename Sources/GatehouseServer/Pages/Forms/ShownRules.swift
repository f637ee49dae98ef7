import Foundation
import GatehousePolicy

/// The rules of a form as its reader sees them: those that bind now, and those that bind from a day on. Of two rules of
/// one kind at one place the strictest alone is shown.
struct ShownRules {
  /// Rules that begin to bind on one day.
  struct Dated {
    let day: Day
    var rules: [PublicRule]
  }

  let now: [PublicRule]
  /// By day.
  let later: [Dated]
  /// The ids of rules that a stricter one of today covers.
  let covered: Set<String>

  init(_ policy: Policy, at instant: Date) {
    let rules = policy.publicRules(at: instant)
    let binding = rules.filter { $0.enforce == .enforce }
    now = binding.filter { rule in !binding.contains { Self.covers($0, rule) } }
    covered = Set(binding.map(\.id)).subtracting(now.map(\.id))
    let dated = rules.filter { $0.enforce == .warn && $0.enforceFrom != nil }
    let news = dated.filter { rule in !(binding + dated).contains { Self.covers($0, rule) } }
    later = Set(news.compactMap(\.enforceFrom)).sorted().map { day in
      Dated(day: day, rules: news.filter { $0.enforceFrom == day })
    }
  }

  /// The rules about a value that bind from a day on, by day.
  func soon(at pointer: String, _ words: HostedWords) -> [Checklist.Soon] {
    later.compactMap { dated -> Checklist.Soon? in
      let texts = dated.rules.filter { $0.pointer == pointer }.map { $0.message.text(in: [words.language]) ?? $0.id }
      return texts.isEmpty ? nil : Checklist.Soon(lead: words.forms.from(words.moments.day(dated.day)), lines: texts)
    }
  }

  /// Whether each value that breaks the other rule breaks this one too, at this place and on the same days.
  private static func covers(_ rule: PublicRule, _ other: PublicRule) -> Bool {
    guard rule.id != other.id, rule.kind == other.kind, rule.pointer == other.pointer,
      let one = bound(rule), let two = bound(other), let isLarger = boundIsLower[rule.kind]
    else { return false }
    // A rule that binds from a day on covers none of before.
    let isInTime = rule.enforce == .enforce || other.enforceFrom.map { day in (rule.enforceFrom ?? day) <= day } == true
    guard isInTime else { return false }
    return isLarger ? one > two : one < two
  }

  private static func bound(_ rule: PublicRule) -> Int64? {
    guard rule.params.count == 1, case .integer(let bound)? = rule.params.values.first else { return nil }
    return bound
  }

  /// The kinds with a bound: whether the larger one is the stricter.
  private static let boundIsLower = [
    "min_length": true, "min": true, "min_strength": true, "max_length": false, "max": false,
  ]
}

extension PublicRule {
  /// The rule as the script checks it; nil where only the server can tell, or the policy has exceptions.
  func check(in language: String) -> FormField.Check? {
    guard enforce == .enforce, !checkedOnSubmit, !hasExceptions,
      let told = sentence.text(in: [language]) ?? message.text(in: [language])
    else { return nil }
    func check(_ kind: FormField.Check.Kind, _ value: String = "") -> FormField.Check {
      FormField.Check(kind: kind, value: value, told: told)
    }
    switch kind {
    case "required": return check(.needed)
    case "min_length": return number("min").map { check(.least, $0) }
    case "max_length": return number("max").map { check(.most, $0) }
    case "min": return number("min").map { check(.from, $0) }
    case "max": return number("max").map { check(.to, $0) }
    case "https_only": return check(.secure)
    case "syntax": return pointer == Pointer.email ? check(.address) : nil
    case "allowed_domains": return words.map { check(.domains, $0.joined(separator: " ")) }
    case "format": return params["type"] == .string("phone") ? check(.phone) : nil
    case "charset": return characters.map { check(.characters, $0) }
    default: return nil
    }
  }

  private func number(_ name: String) -> String? {
    if case .integer(let number)? = params[name] { String(number) } else { nil }
  }

  /// The one parameter that is a list of words.
  private var words: [String]? {
    if case .strings(let words)? = params.values.first { words } else { nil }
  }

  /// The class of a regular expression; nil for a set that is more than its characters.
  private var characters: String? {
    guard case .string(let text)? = params["characters"], let set = Charset(text), !set.isLetters else { return nil }
    func escaped(_ value: UInt32) -> String { "\\u{\(String(value, radix: 16))}" }
    return set.ranges.map { range in
      range.lowerBound == range.upperBound
        ? escaped(range.lowerBound) : escaped(range.lowerBound) + "-" + escaped(range.upperBound)
    }.joined()
  }
}
