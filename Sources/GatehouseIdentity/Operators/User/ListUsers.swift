import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user list`: newest first, or those whose stored values break a rule of the live policy.
package enum ListUsers {
  /// How long a walk over stored users may take before it answers.
  private static let longest = Duration.seconds(2)

  package static func run(_ input: ListUsersOperation.Input, _ call: OperatorCall) async throws
    -> ListUsersOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let limit = try OperatorCall.limit(input.limit)
    let filter = try await UserFilter(
      query: input.query, contains: input.contains, unverified: input.unverified, since: input.since,
      until: input.until, matching: input.matching, call.services
    ) { try await call.call(tenant).policy }
    let fields = input.fields?.split(separator: ",").map(String.init)
    let store = call.services.store.open(tenant.id)
    if let beginning = filter.begins, input.failing == nil {
      let (found, next) = try await UserSearch.page(
        filter, beginning, after: input.cursor, limit: limit, within: longest, in: store)
      return ListUsersOperation.Output(items: found.map { UserSummary($0, fields) }, nextCursor: next)
    }
    let cursor = try input.cursor.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is not from this list") }
      return id
    }
    if let rule = input.failing {
      let (found, next) = try await failing(
        rule, filter, after: cursor, limit: limit, try await call.call(tenant), call.services)
      return ListUsersOperation.Output(items: found.map { UserSummary($0, fields) }, nextCursor: next?.text)
    }
    // One more says whether the page is the last.
    var found: [StoredUser] = []
    let next = try await UserScan.stretches(after: cursor, within: longest, in: store) { after, through in
      found += try await store.users(filter, after: after, through: through, limit: limit + 1 - found.count)
      return found.count > limit ? found[limit - 1].id : nil
    }
    return ListUsersOperation.Output(
      items: found.prefix(limit).map { UserSummary($0, fields) }, nextCursor: next?.text)
  }

  /// Those after `cursor`, until there are `limit` of them or the time is over; then `next` is where to go on. Throws
  /// `OperatorError` for a rule the policy does not have, and for one on passwords, which only hashes are kept of.
  private static func failing(
    _ rule: String, _ filter: UserFilter, after cursor: UserID?, limit: Int, _ seen: Call, _ services: Services
  ) async throws -> (found: [StoredUser], next: UserID?) {
    let check = StoredCheck(seen.policy, at: seen.now)
    guard let place = check.subjects.firstIndex(where: { $0.id.utf8.elementsEqual(rule.utf8) }) else {
      let meant = Suggestion.nearest(to: rule, among: check.subjects.map(\.id)).map { "; did you mean \"\($0)\"?" }
      throw OperatorError(
        .notFound, "the policy has no rule \"\(rule)\" that stored values are judged by" + (meant ?? ""),
        hint: "gatehouse policy show \(seen.tenant.name)")
    }
    guard !check.subjects[place].isOfPassword else {
      throw OperatorError(
        .refused, "who breaks \(rule) is not known: only hashes of passwords are kept",
        hint: "gatehouse policy impact \(seen.tenant.name) FILE")
    }
    let store = services.store.open(seen.tenant.id)
    var found: [StoredUser] = []
    let next = try await UserScan.stretches(after: cursor, within: longest, in: store) { after, through in
      try await UserScan.visit(
        after: after, within: nil, id: \.id,
        read: { try await store.users(filter, after: $0, through: through, limit: $1) },
        goesOn: { user in
          let hasPassword = user.passwordChangedAt != nil
          let answer = check.judge(user.facts, hasPassword: hasPassword, using: services.facts)
          if answer.verdicts[place] == .fail { found.append(user) }
          return found.count < limit
        })
    }
    return (found, next)
  }
}

extension UserFilter {
  /// Creates the filter of an operator's input. Throws `Refusal` where `matching` is not `FIELD=VALUE`.
  init(
    query: String?, contains: String?, unverified: Bool?, since: Timestamp?, until: Timestamp?, matching: String?,
    _ services: Services, _ policy: () async throws -> Policy
  ) async throws {
    var beginning: UserBeginning?
    if let query {
      beginning = UserBeginning(typed: query, try await policy(), services)
      guard beginning != nil else { throw Refusal.malformed("/query", "no text begins so") }
    }
    self.init(
      begins: beginning, emailContains: contains.map { AddressQuery.text($0, services) },
      isUnverified: unverified ?? false,
      since: since?.date, until: until?.date, value: try matching.map(StoredText.init(typed:)))
  }
}

extension StoredText {
  fileprivate init(typed word: String) throws {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      throw Refusal(.malformedRequest, detail: "\"\(word)\" is not FIELD=VALUE, such as role=nurse")
    }
    self.init(field: String(word[..<equals]), text: String(word[word.index(after: equals)...]))
  }
}

extension UserSummary {
  fileprivate init(_ user: StoredUser, _ fields: [String]?) {
    self.init(
      id: user.id.text, email: user.email.map(DomainName.shown(inAddress:)), emailVerified: user.emailVerifiedAt != nil,
      disabled: user.disabledAt != nil, createdAt: Timestamp(user.createdAt),
      profile: fields.map { fields in user.profile.filter { fields.contains($0.key) } })
  }
}
