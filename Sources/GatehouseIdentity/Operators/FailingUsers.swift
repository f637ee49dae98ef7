import GatehousePolicy
import GatehousePolicyFile

/// People whose stored values break a rule of the live policy, newest first.
package enum FailingUsers {
  /// Those after `cursor`, until there are `limit` of them or `time` is over; then `next` is where to go on. Throws
  /// `OperatorError` for a rule the policy does not have, and for one on passwords, which only hashes are kept of.
  package static func list(
    _ rule: String, emailContains: String?, after cursor: UserID?, limit: Int, within time: Duration, _ call: Call,
    _ services: Services
  ) async throws -> (found: [StoredUser], next: UserID?) {
    let check = StoredCheck(call.policy, at: call.now)
    guard let place = check.subjects.firstIndex(where: { $0.id.utf8.elementsEqual(rule.utf8) }) else {
      let meant = Suggestion.nearest(to: rule, among: check.subjects.map(\.id)).map { "; did you mean \"\($0)\"?" }
      throw OperatorError(
        .notFound, "the policy has no rule \"\(rule)\" that stored values are judged by" + (meant ?? ""),
        hint: "gatehouse policy show \(call.tenant.name)")
    }
    guard !check.subjects[place].isOfPassword else {
      throw OperatorError(
        .refused, "who breaks \(rule) is not known: only hashes of passwords are kept",
        hint: "gatehouse policy impact \(call.tenant.name) FILE")
    }
    let store = services.store.open(call.tenant.id)
    var found: [StoredUser] = []
    let next = try await UserScan.visit(
      after: cursor, within: time, id: \.id,
      read: { try await store.users(emailContains: emailContains, after: $0, limit: $1) },
      goesOn: { user in
        let hasPassword = user.passwordChangedAt != nil
        let answer = check.judge(user.facts, hasPassword: hasPassword, using: services.facts)
        if answer.verdicts[place] == .fail { found.append(user) }
        return found.count < limit
      })
    return (found, next)
  }
}
