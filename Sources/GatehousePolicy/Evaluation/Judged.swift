import Foundation

/// The result of a kind of rule for a value. The words are for traces and hold nothing of the value.
enum Outcome {
  case pass
  /// `as`: what the rule's own words do not say.
  case fail(String, as: Flaw? = nil)
  case undecidable(String)
  /// The store decides when it writes.
  case deferred(String)
}

/// The judge of a kind of rule. Total: it has an answer for every rule and every value.
typealias Judge = @Sendable (_ rule: Rule, _ judged: borrowing Judged) -> Outcome

/// One value under judgement, with what is known around it.
struct Judged: ~Copyable {
  /// For text: trimmed and in NFC where its place says so.
  var value: FieldValue = .null
  var text = ""
  /// Code points of `text`.
  var length = 0
  /// Whether words are compared without marks.
  var ignoresMarks = false
  var address: EmailAddress?
  var phoneRegion: String?
  var user = PasswordSubject()
  var passwordChangedAt: Date?
  /// Whether the person who brings it is stored.
  var hasUser = false
  let instant: Date
  let source: any FactSource

  init(instant: Date, source: any FactSource) {
    self.instant = instant
    self.source = source
  }

  /// `unknown` is the answer where the list names a domain whose ASCII form can not be had: the one that denies.
  func isAtDomain(of rule: Rule, unknown: Bool) -> Bool {
    guard case .domains(let patterns) = rule.parameter, let address else { return unknown }
    for pattern in patterns {
      var name = pattern.domain
      if !pattern.isASCII {
        guard let ascii = source.asciiDomain(name) else {
          if unknown { return true }
          continue
        }
        name = ascii
      }
      if pattern.matches(address.domain, name: name) { return true }
    }
    return false
  }
}

extension DomainPattern {
  /// Whether the pattern covers this domain; both are ASCII.
  package func covers(_ domain: String) -> Bool { matches(domain, name: self.domain) }

  /// Whether `domain` (ASCII, lower case) is this one, `name` being the pattern's own ASCII form.
  func matches(_ domain: String, name: String) -> Bool {
    guard subdomainsOnly else { return Text.same(domain, name) }
    let (long, short) = (domain.utf8, name.utf8)
    let rest = long.count - short.count - 1
    return rest > 0 && long.suffix(short.count).elementsEqual(short)
      && long.dropFirst(rest).first == UInt8(ascii: ".")
  }
}

/// The facts about the person whose password is judged: the address and the fields, new values before stored ones.
struct PasswordSubject {
  var email: String?
  var given: [String: FieldValue] = [:]
  var provided: [String: FieldValue] = [:]
  var stored: [String: FieldValue] = [:]

  /// The whole local part for `email`, else the words of that field.
  func words(of subject: String) -> [String] {
    if subject == "email" {
      guard let email else { return [] }
      return [String(Substring(email.utf8.prefix { $0 != UInt8(ascii: "@") }))]
    }
    guard let text = (given[subject] ?? provided[subject] ?? stored[subject])?.string else { return [] }
    return Text.words(text)
  }

  /// The address, its local part and every text of the profile, for strength estimates; sorted, so that the order of a
  /// dictionary never shows.
  var inputs: [String] {
    var texts = stored.merging(provided) { $1 }.merging(given) { $1 }.sorted { $0.key < $1.key }
      .compactMap(\.value.string)
    if let email { texts += [email] + words(of: "email") }
    return texts.filter { !$0.isEmpty }
  }
}
