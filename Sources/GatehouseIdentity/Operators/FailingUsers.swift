import GatehousePolicy
import GatehousePolicyFile

/// People whose stored values break a rule of the live policy, newest first.
package enum FailingUsers {
  private static let page = 1_000

  /// Those after `cursor`, until there are `limit` of them or `time` is over; then `next` is where to go on. Throws
  /// `OperatorError` for a rule the policy does not have, and for one on passwords, which only hashes are kept of.
  package static func list(
    _ rule: String, emailContains: String?, after cursor: AccountID?, limit: Int, within time: Duration, _ call: Call,
    _ services: Services
  ) async throws -> (found: [Account], next: AccountID?) {
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
    var found: [Account] = []
    var cursor = cursor
    let end = ContinuousClock.now + time
    while true {
      let accounts = try await store.accounts(emailContains: emailContains, after: cursor, limit: page)
      for (number, account) in accounts.enumerated() {
        // The loop has other things to do as well.
        if number.isMultiple(of: 64) { await Task.yield() }
        let hasPassword = account.passwordChangedAt != nil
        let answer = check.judge(account.facts, hasPassword: hasPassword, using: services.facts)
        cursor = account.id
        guard answer.verdicts[place] == .fail else { continue }
        found.append(account)
        if found.count == limit { return (found, cursor) }
      }
      if accounts.count < page { return (found, nil) }
      if ContinuousClock.now >= end { return (found, cursor) }
    }
  }
}
