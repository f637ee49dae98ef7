// Why a policy decides as it does, as operators ask.

import Foundation
import GatehousePolicy
import GatehousePolicyFile
package import GatehouseWire

package enum PolicyExplanation {
  package static func run(_ input: ExplainPolicyOperation.Input, _ call: OperatorCall) async throws
    -> ExplainPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let (number, file) = try await Explaining.file(input.revision, of: tenant, call.services)
    let instant = try input.at.map { try OperatorDay.instant($0, "at") } ?? call.services.clock.now
    var answer = ExplainPolicyOperation.Output(revision: number)
    switch (input.rule, input.request, input.user) {
    case (let id?, nil, nil): answer.rule = try rule(id, in: file, at: instant)
    case (nil, nil, let user?):
      try call.who.require(.userRead)
      let found = try await OperatedUsers.find(user, try await call.call(tenant), call.services)
      let (values, standing) = Explaining.user(found, by: file, at: instant, call.services)
      let lines = values.lines.filter { !$0.rule.hasPrefix("access.") } + standing.lines
      answer.verdicts = lines.map(verdict)
      (answer.access, answer.next) = (standing.access.rawValue, standing.next)
    case (nil, let request?, nil):
      let door = try door(input.door)
      let facts = try Explaining.facts(request, at: door)
      guard !file.policy.isClosed(door, withPassword: facts.password != nil) else {
        throw OperatorError(.refused, "\(door.rawValue) is closed: \(file.policy.passwordClosure)")
      }
      let found = Explaining.request(facts, at: door, by: file, at: instant, call.services)
      answer.verdicts = found.lines.map(verdict)
      answer.allow = found.allow
      if found.allow { (answer.access, answer.next) = (found.access.rawValue, found.next) }
    default: throw Refusal.malformed("", "one of rule, request and user is needed")
    }
    return answer
  }

  private static func rule(_ id: String, in file: PolicyFile, at instant: Date) throws -> ExplainedRule {
    guard let rule = RuleExplanation(id, in: file, at: instant) else {
      let meant = Suggestion.nearest(to: id, among: RuleExplanation.ids(of: file.policy)).map {
        "; did you mean \"\($0)\"?"
      }
      throw OperatorError(.notFound, "the policy has no rule \"\(id)\"" + (meant ?? ""))
    }
    return ExplainedRule(
      rule: rule.rule, line: rule.line, source: rule.source, meaning: rule.meaning, input: rule.input,
      stage: rule.stage.rawValue, enforceFrom: rule.enforcesFrom.map { "\($0)" }, existing: rule.existing.rawValue,
      doors: rule.doors.map(\.rawValue), message: rule.message, disclosed: rule.isDisclosed)
  }

  private static func verdict(_ line: Explanation.Line) -> ExplainedVerdict {
    ExplainedVerdict(
      rule: line.rule, line: line.line > 0 ? line.line : nil, source: line.source, input: line.input,
      verdict: line.verdict.rawValue, why: line.why.isEmpty ? nil : line.why,
      remedy: line.remedy.isEmpty ? nil : line.remedy)
  }

  private static func door(_ word: String?) throws -> Door {
    guard let word else { return .signUp }
    if let door = Door(rawValue: word) { return door }
    throw Refusal.malformed("/door", "must be one of " + Door.allCases.map(\.rawValue).joined(separator: ", "))
  }
}

/// Days in the input of operators.
enum OperatorDay {
  /// The day's first moment in UTC.
  static func instant(_ text: String, _ name: String) throws -> Date {
    guard let day = Day(text) else { throw Refusal.malformed("/" + name, "must be a day like 2027-03-01") }
    return Date(timeIntervalSince1970: Double(day.startSeconds))
  }
}
