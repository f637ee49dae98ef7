/// The policy's rules for a new password, as a list. The script marks its lines while the password is typed, and the
/// form that comes back those that were broken.
struct Checklist: Sendable {
  /// A rule by its id, in words.
  struct Line: Sendable {
    let rule: String
    let text: String
    /// Whether no other rule is looked at once this one is broken.
    var isLast = false
  }

  /// Rules that bind from a day on, in words.
  struct Soon: Sendable {
    /// `From March 1, 2027, also:`
    let lead: String
    let lines: [String]
    /// All in one sentence.
    var sentence: String { "\(lead) \(lines.joined(separator: " · "))" }
  }

  let lines: [Line]
  let words: FormWords
  /// The rules that bind from a day on, by day.
  var later: [Soon] = []
  /// The rules that what was sent has broken.
  var unmet: Set<String> = []

  var html: HTML {
    // The script says in the last line how strong the password is.
    """
    \(list)
    \(HTML(later.map { soon in "\(soon.lead)\n<ul>\(HTML(soon.lines.map { "<li>\($0)</li>" }))</ul>" }))
    <p class="strength" aria-live="polite" data-words="\(words.strengths.joined(separator: "|"))"></p>
    """
  }

  /// Whether what was sent was held against every line.
  private var isJudged: Bool {
    let broken = lines.filter { unmet.contains($0.rule) }
    return !unmet.isEmpty && broken.count == unmet.count && !broken.contains(where: \.isLast)
  }

  private var list: HTML {
    guard !lines.isEmpty else { return "" }
    let isJudged = isJudged
    let items = lines.map { line -> HTML in
      let isUnmet = unmet.contains(line.rule)
      guard isUnmet || isJudged else { return "<li data-rule=\"\(line.rule)\">\(line.text)</li>" }
      return """
        <li data-rule="\(line.rule)" class="\(isUnmet ? "unmet" : "met")">\(line.text)\
        <span class="told"> (\(isUnmet ? words.unmet : words.met))</span></li>
        """
    }
    return """
      \(words.passwordNeeds)
      <ul class="rules" aria-live="polite" data-met="\(words.met)" data-unmet="\(words.unmet)">
      \(HTML(items))
      </ul>
      """
  }

  /// The problems of the field, of which several that the list marks are told in one sentence.
  func condensed(_ problems: [FormProblem]) -> [FormProblem] {
    let marked = problems.filter { problem in lines.contains { $0.rule == problem.rule } }
    guard marked.count > 1, let first = marked.first else { return problems }
    return [FormProblem(field: first.field, message: words.weak)]
      + problems.filter { problem in !lines.contains { $0.rule == problem.rule } }
  }
}
