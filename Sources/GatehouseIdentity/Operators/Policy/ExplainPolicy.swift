import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy explain`: why a policy, of today or of any revision, decides as it does. Nothing is stored and
/// nothing is sent.
package enum ExplainPolicy {
  package static func run(_ input: ExplainPolicyOperation.Input, _ call: OperatorCall) async throws
    -> ExplainPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let (number, file) = try await file(input.revision, of: tenant, call.services)
    let instant = try input.at.map { try OperatorDay.instant($0, "at") } ?? call.services.clock.now
    var answer = ExplainPolicyOperation.Output(revision: number)
    switch (input.rule, input.request, input.user) {
    case (let id?, nil, nil): answer.rule = try rule(id, in: file, at: instant)
    case (nil, nil, let user?):
      try call.who.require(.userRead)
      let stored = try await call.user(user, in: try await call.call(tenant))
      let (values, standing) = standing(of: stored, by: file, at: instant, call.services)
      // An account that came in today would have no factor yet, and no proven address.
      let ofAccount = Set(file.policy.access.full.map(\.id) + file.policy.demands.map(\.id))
      let lines = values.lines.filter { !ofAccount.contains($0.rule) } + standing.lines
      answer.verdicts = lines.map(verdict)
      (answer.access, answer.next, answer.offers) = (standing.access.rawValue, standing.next, offers(standing))
    case (nil, let request?, nil):
      let door = try door(input.door)
      let facts = try facts(request, at: door)
      guard !file.policy.isClosed(door, withPassword: facts.password != nil) else {
        throw OperatorError(.refused, "\(door.rawValue) is closed: \(file.policy.passwordClosure)")
      }
      let found = Explanation(
        file.policy.decide(door, facts, at: instant, using: call.services.facts), by: file)
      answer.verdicts = found.lines.map(verdict)
      answer.allow = found.allow
      guard found.allow else { break }
      (answer.access, answer.next, answer.offers) = (found.access.rawValue, found.next, offers(found))
    default: throw Refusal.malformed("", "one of rule, request and user is needed")
    }
    return answer
  }

  private static func offers(_ found: Explanation) -> [String]? {
    found.offers.isEmpty ? nil : found.offers.map(\.rawValue)
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

  /// The file of a revision; the live one for nil. Throws `OperatorError` where there is none, or where the text does
  /// not load any more.
  private static func file(_ revision: Int?, of tenant: TenantRecord, _ services: Services) async throws -> (
    number: Int, file: PolicyFile
  ) {
    let store = services.store.open(tenant.id)
    let found =
      if let revision { try await store.revision(revision) } else { try await store.newestRevision() }
    guard let found else {
      throw OperatorError(
        .notFound, "\(tenant.name) has no revision \(revision ?? 1)", hint: "gatehouse policy history \(tenant.name)")
    }
    switch services.files.file(of: found, of: tenant.name) {
    case .success(let file): return (found.number, file)
    case .failure(let refusal): throw OperatorError(.refused, refusal.text())
    }
  }

  /// The facts of a request's body as apps send it: `email`, `password`, `profile`, nothing else.
  private static func facts(_ body: String, at door: Door) throws -> Facts {
    let object: JSONObject
    do {
      guard let read = try JSONParser.parse(Array(body.utf8)).object else {
        throw OperatorError(.refused, "the request is not a JSON object")
      }
      object = read
    } catch let error as OperatorError {
      throw error
    } catch let problem as JSONProblem {
      throw OperatorError(.refused, "the request is not JSON: \(problem.reason)")
    }
    if let other = object.members.first(where: { !["email", "password", "profile"].contains($0.key) }) {
      throw OperatorError(.refused, "a request has email, password and profile, not \"\(other.key)\"")
    }
    var facts = Facts()
    facts.email = try text("email", object)
    facts.password = try text("password", object)
    facts.writer = [.adminCreate, .adminUpdate, .invite, .import].contains(door) ? .admin : .user
    switch object["profile"] {
    case nil: break
    case .object(let fields)?:
      for member in fields.members { facts.profile[member.key] = FieldValue(member.value) }
    default: throw OperatorError(.refused, "\"profile\" is not a JSON object")
    }
    return facts
  }

  /// How a stored user stands by a file: every rule on stored values as if they came in at that moment, then what the
  /// next sign-in would say.
  private static func standing(of user: StoredUser, by file: PolicyFile, at instant: Date, _ services: Services)
    -> (values: Explanation, standing: Explanation)
  {
    var user = user
    user.profile = file.policy.profile.renaming(user.profile)
    let known = user.profile.filter { file.policy.profile.field($0.key) != nil }
    let entering = Facts(email: user.email, profile: known, writer: .system)
    let values = file.policy.decide(.import, entering, at: instant, using: services.facts)
    let standing = file.policy.decide(.signIn, Facts(stored: user.facts), at: instant, using: services.facts)
    return (Explanation(values, by: file), Explanation(standing, by: file))
  }

  private static func text(_ key: String, _ object: JSONObject) throws -> String? {
    switch object[key] {
    case nil: return nil
    case .string(let text)?: return text
    default: throw OperatorError(.refused, "\"\(key)\" is not text")
    }
  }
}
