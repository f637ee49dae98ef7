import Foundation
import GatehousePolicy

// Statements of the floor, which every tenant's policy has to satisfy.
extension Floor {
  /// Reports the statements of the floor that a policy does not satisfy. One about a field that the policy does not
  /// have says nothing about it.
  /// - Parameters:
  ///   - live: The live revision; a statement that does not hold there either is a warning.
  ///   - source: Lists and libraries the rules ask.
  ///   - now: No earlier day is looked at.
  func judgeStatements(
    of file: PolicyFile, beside live: PolicyFile? = nil, using source: any FactSource, now: Date, into sink: Diagnostics
  ) {
    let statements = StatementReader(policy: file.policy, root: root, into: Diagnostics()).statements()
    guard let policy = file.document.root else { return }
    let prover = Prover(file.policy, using: source, now: now)
    let place = policy.entry("schema")?.keyRange ?? policy.range
    for statement in statements {
      let answer = prover.answer(statement, file: file) { _ in nil }
      let note = Diagnostic.Note("the floor: \(name):\(statement.range.start.line): always")
      switch answer.verdict {
      case .proved: break
      case .refuted(let refutation):
        let notes = [note] + refutation.chain.map { .init("step: " + $0) }
        let message = "\(quoted(statement.name)) does not hold"
        if let live, Self.isRefuted(statement, in: live, source, now) {
          sink.warning(.belowFloor, message + ", nor does it in the live revision", at: place, notes: notes)
        } else {
          // GUARD: floor: statements
          sink.error(.belowFloor, message, at: place, notes: notes)
        }
      case .unknown(let why):
        sink.warning(
          .statementUndecided, "\(quoted(statement.name)) is not decided: \(why)", at: place, notes: [note])
      }
    }
  }

  private static func isRefuted(_ statement: Statement, in file: PolicyFile, _ source: any FactSource, _ now: Date)
    -> Bool
  {
    let answer = Prover(file.policy, using: source, now: now).answer(statement, file: file) { _ in nil }
    if case .refuted = answer.verdict { return true }
    return false
  }

  /// Whether a statement of the floor claims nothing, for policies with any fields.
  static func checkStatements(_ root: Node, into sink: Diagnostics) {
    let name = "tenant"
    guard case .success(let any) = PolicyFile.read(PolicyFile.initial(tenant: name, name: name), name: name) else {
      return
    }
    let found = Diagnostics()
    _ = StatementReader(policy: any.policy, root: root, into: found).statements()
    for finding in found.found where finding.code != .unknownField { sink.add(finding) }
  }
}
