import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set --where`: changes all users whose stored values are these, batch by batch. Each of them is
/// judged as by `user set`. A walk that was broken off can begin again: changed users are not found a second time.
package enum SetUsers {
  /// How long the walk over stored users may take before it answers.
  private static let longest = Duration.seconds(2)
  /// How many users who were refused are named.
  private static let sampleSize = 3

  package static func run(_ input: SetUsersOperation.Input, _ call: OperatorCall) async throws
    -> SetUsersOperation.Output
  {
    let seen = try await call.call(input.tenant)
    // What can not be read is refused before the first user.
    guard try !TypedProfile.values(nil, input.fields, seen.policy).isEmpty else {
      throw Refusal.malformed("/fields", "nothing to change")
    }
    let conditions = try input.matching.map(StoredCondition.init)
    guard !conditions.isEmpty else { throw Refusal.malformed("/matching", "at least one condition is needed") }
    let cursor = try input.cursor.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is not from this operation") }
      return id
    }
    func matches(_ user: StoredUser) -> Bool { conditions.allSatisfy { $0.holds(for: user) } }
    let store = call.store(of: seen)
    var output = SetUsersOperation.Output()
    var (changed, refused, samples) = (0, 0, [String]())
    let next = try await UserScan.visit(
      after: cursor, within: longest, id: \.id,
      read: { (after: UserID?, limit: Int) async throws -> [StoredUser] in
        let users = try await store.users(emailContains: nil, after: after, limit: limit)
        guard input.dryRun != true else { return users }
        for user in users where matches(user) {
          let change = SetUserOperation.Input(tenant: input.tenant, user: user.id.text, fields: input.fields)
          do {
            try await SetUser.change(user, by: change, in: seen, call)
            changed += 1
          } catch let refusal as Refusal {
            refused += 1
            let rules = refusal.violations.map(\.rule).joined(separator: ", ")
            if samples.count < sampleSize { samples.append("\(user.reference): \(rules)") }
          } catch StoreError.refused(.accountExists) {
            // The user was deleted since.
          }
        }
        return users
      },
      goesOn: { (user: StoredUser) in
        output.seen += 1
        if matches(user) { output.found += 1 }
        return true
      })
    (output.changed, output.refused) = (changed, refused)
    if call.who.allows(.userRead) { output.samples = samples }
    output.nextCursor = next?.text
    return output
  }
}

/// A stored value that users are found by, as typed: `role=nurse`, or `role=` for none. The field may be one that the
/// policy no longer has, whose type is not known; so texts are compared.
private struct StoredCondition {
  let field: String
  let text: String

  init(_ word: String) throws {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      throw Refusal(.malformedRequest, detail: "\"\(word)\" is not FIELD=VALUE, such as role=nurse")
    }
    field = String(word[..<equals])
    text = String(word[word.index(after: equals)...])
  }

  func holds(for user: StoredUser) -> Bool {
    let stored =
      switch user.profile[field] {
      case .string(let text): text
      case .integer(let number): String(number)
      case .boolean(let flag): String(flag)
      case .null, .unsupported, nil: ""
      }
    return stored.utf8.elementsEqual(text.utf8)
  }
}
