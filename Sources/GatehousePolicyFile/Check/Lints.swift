import Foundation
import GatehousePolicy

/// Things a policy may say and probably should not. Each has a line; none refuses the file unless strict.
enum Lints {
  static func run(_ file: PolicyFile, now: Date, into sink: Diagnostics) {
    let lints = Linter(file: file, now: now, sink: sink)
    lints.password()
    lints.email()
    for field in file.policy.profile.fields { lints.field(field) }
    lints.stages()
    lints.exceptions()
    lints.doors()
    lints.redundant()
    lints.signIn()
    lints.verification()
    lints.limits()
    lints.directory()
    lints.admins()
    lints.claims()
    lints.links()
    lints.factors()
    lints.passkeys()
    lints.theme()
    lints.logo()
    lints.languages()
    lints.users()
    if file.tests.isEmpty {
      sink.warning(.noTests, "the file has no tests", at: .top)
    }
  }
}

/// One look at one file. The lints themselves stand in the files beside this one.
struct Linter {
  let file: PolicyFile
  let now: Date
  let sink: Diagnostics
  private let ranges: [Mark: SourceRange]

  init(file: PolicyFile, now: Date, sink: Diagnostics) {
    self.file = file
    self.now = now
    self.sink = sink
    ranges = file.document.root?.ranges ?? [:]
  }

  var policy: Policy { file.policy }

  /// A finding at a place of the policy; the caret covers what is written there.
  func warn(_ code: DiagnosticCode, _ message: String, _ position: SourcePosition, _ notes: [Diagnostic.Note] = []) {
    let mark = Mark(line: max(1, position.line), column: max(1, position.column))
    let range = ranges[mark] ?? SourceRange(mark, Mark(line: mark.line, column: mark.column + 1))
    sink.warning(code, message, at: range, notes: notes)
  }

  /// A finding at a value, found by its path; at `position` where it is not written there.
  func warn(
    _ code: DiagnosticCode, _ message: String, at node: Node?, else position: SourcePosition,
    _ notes: [Diagnostic.Note] = []
  ) {
    guard let node else { return warn(code, message, position, notes) }
    sink.warning(code, message, at: node.range, notes: notes)
  }

  struct Bound {
    let rule: Rule
    let number: Int64
  }

  func number(_ rule: Rule) -> Int64? {
    if case .integer(let number) = rule.parameter { number } else { nil }
  }

  /// The tightest bound among rules of a kind that are on.
  func bound(_ rules: [Rule], _ kind: RuleKind, smallest: Bool) -> Bound? {
    // A plain loop: the optimiser of Swift 6.3.1 crashes on a filter and a minimum over pairs here.
    var found: Bound?
    for rule in rules where rule.kind == kind && rule.enforcement.mode != .off {
      guard let number = number(rule) else { continue }
      if let kept = found, smallest ? kept.number <= number : kept.number >= number { continue }
      found = Bound(rule: rule, number: number)
    }
    return found
  }

  func verification() {
    guard policy.verification.email.confirm == .click else { return }
    warn(
      .confirmedByClick, "one click on the mail proves the address of an account that its owner may never have made",
      at: file.document.root?["verification"]?["email"]?["confirm"], else: SourcePosition(line: 1, column: 1))
  }

  /// Wrong passwords in a row are delayed for every account without a limit. A right password beyond the limit is
  /// refused as a wrong one is, until the window ends.
  func limits() {
    guard let limit = policy.limits.byName[.signInPerAccount], limit.count < Linter.patientSignIns else { return }
    sink.warning(
      .lowSignInLimit, "\(limit) refuses a user who mistypes a password, for up to \(Seconds.text(limit.window))",
      at: file.document.root?["limits"]?["sign_in_per_account"]?.range ?? .top,
      notes: [.init("remove it; wrong passwords in a row are delayed without it, and 100 disable the password")])
  }

  /// Attempts that a user with a new telephone may need.
  private static let patientSignIns = 30

  func directory() {
    guard let directory = policy.directory, directory.findBy.contains(.email), policy.privacy.accountExists == .hide
    else { return }
    warn(
      .directoryReveals,
      "users are found by e-mail, and privacy.account_exists: hide keeps from strangers which addresses have an account",
      at: file.document.root?["directory"]?["find_by"], else: directory.position)
  }

  /// Warns of users from which no test starts.
  func users() {
    let used = file.document.root?["tests"]?.list?.flatMap { TestUsers.references(of: $0) } ?? []
    let names = Set(used.compactMap { $0.text.map { Array($0.utf8) } })
    for user in file.document.root?["users"]?.map ?? [] where !names.contains(Array(user.key.utf8)) {
      sink.warning(.unusedUser, "no test starts from user \(quoted(user.key))", at: user.keyRange)
    }
  }

  func contradiction(_ rules: [Rule], _ lower: RuleKind, _ upper: RuleKind) {
    guard let low = bound(rules, lower, smallest: false), let high = bound(rules, upper, smallest: true),
      low.number > high.number
    else { return }
    let position = max(low.rule.position, high.rule.position)
    warn(
      .contradiction, "\(low.rule.id) asks for at least \(low.number), \(high.rule.id) for at most \(high.number)",
      position,
      [.init("no value satisfies both (lines \(low.rule.position.line) and \(high.rule.position.line))")])
  }
}

extension Node {
  /// The range at each place: a map or list that begins there, else the value.
  fileprivate var ranges: [Mark: SourceRange] {
    var found: [Mark: SourceRange] = [:]
    var open = [self]
    while let node = open.popLast() {
      if found[node.range.start] == nil { found[node.range.start] = node.range }
      switch node.content {
      case .scalar: break
      case .list(let nodes): open += nodes
      case .map(let entries):
        for entry in entries { found[entry.keyRange.start] = entry.keyRange }
        open += entries.map(\.value)
      }
    }
    return found
  }
}
