import GatehouseIdentity
import GatehousePolicy

/// Tells after a sign-in that the password will not do for long, with the way to a better one. It may wait: the next
/// sign-in asks again.
enum AdvicePage: HostedPage {
  static let path = PagePath.advice
  static let audience = PageAudience.session
  static let intent = "later"

  /// Whether the person was not yet asked since the sign-in, and there is something to ask for.
  static func isDue(_ visit: Visit) -> Bool { visit.flow.advice != nil && !parts(visit).isEmpty }

  /// The rules of a password in words, by the day from which they bind.
  private static func parts(_ visit: Visit) -> [(lead: String, rules: [PublicRule])] {
    let (rules, words) = (ShownRules(visit.policy, at: visit.call.now), visit.words.advice)
    let now = (lead: words.now(visit.app), rules: rules.now)
    let later = rules.later.map { (lead: words.from(visit.words.moments.day($0.day), visit.app), rules: $0.rules) }
    return (visit.flow.advice == .now ? [now] : later).compactMap { part -> (lead: String, rules: [PublicRule])? in
      let own = part.rules.filter { $0.pointer == Pointer.password && !unsaid.contains($0.kind) }
      return own.isEmpty ? nil : (part.lead, own)
    }
  }

  private static let unsaid: Set<String> = ["required", "max_length"]

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard isDue(visit) else { return nil }
    let words = visit.words.advice
    let parts = parts(visit).map { part -> Screen.Piece in
      let lines = part.rules.map { rule -> HTML in
        "<li>\(rule.message.text(in: [visit.words.language]) ?? rule.id)</li>"
      }
      return .html("<p>\(part.lead)</p>\n<ul class=\"scopes\">\(HTML(lines))</ul>")
    }
    return Screen(
      words.heading, of: .advice, parts + [Pieces.button(words.change, visit.address(PagePath.password)), later(visit)])
  }

  /// The way on without a change.
  static func later(_ visit: Visit) -> Screen.Piece {
    .form(Form(button: visit.words.connect.later, style: .plain, intent: intent))
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step { step(&visit) }

  static func step(_ visit: inout Visit) -> Step {
    visit.flow.advice = nil
    return .onward()
  }
}
