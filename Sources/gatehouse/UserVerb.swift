import Foundation
import GatehouseIdentity
import GatehousePolicy

/// What the verbs about one person share.
enum UserVerb {
  static let user = Argument("USER", "the person's address or id")

  static let exits: KeyValuePairs<Exit, String> = [
    .notFound: "no such tenant or user", .notAllowed: "the policy refuses it", .unavailable: "the database failed",
  ]

  /// Finds the person, asks where something is lost, and acts unless it is a dry run.
  static func run(
    _ invocation: Invocation, losing: ((Account) -> [String])? = nil, done: String,
    _ act: (Account, Call, Author, Services) async throws -> Void
  ) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let account = try await OperatedUsers.find(try invocation.argument("USER"), call, services)
      if let losing { try invocation.confirm(losing(account), typing: account.email) }
      if invocation.isDryRun {
        invocation.terminal.note("\(account.email) of \(tenant.name) would be \(done)")
        return .ok
      }
      try await act(account, call, OperatorCommand.author(invocation), services)
      invocation.terminal.note("\(account.email) of \(tenant.name): \(done)")
      return .ok
    }
  }

  /// `name=value` pairs as values of the policy's fields; `name=` clears one.
  /// - Throws: exit 2 for a word without `=`, and for a number or truth value that is none.
  static func fields(_ words: [String], _ policy: Policy) throws(Failure) -> [String: FieldValue] {
    var fields: [String: FieldValue] = [:]
    for word in words {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw Failure(.usage, "\(Quoted(word)) is not a field and its value, as role=admin")
      }
      let name = String(word[..<equals])
      let text = String(word[word.index(after: equals)...])
      let type = policy.profile.fields.first { $0.name == name }?.type
      switch type {
      case .some where text.isEmpty: fields[name] = .null
      case .integer:
        guard let number = Int64(text) else {
          throw Failure(.usage, "\(name) takes a whole number, not \(Quoted(text))")
        }
        fields[name] = .integer(number)
      case .boolean:
        guard text == "true" || text == "false" else { throw Failure(.usage, "\(name) takes true or false") }
        fields[name] = .boolean(text == "true")
      default: fields[name] = .string(text)
      }
    }
    return fields
  }

  /// A person as a record.
  static func record(_ account: Account) -> Record {
    var fields: [(key: String, title: String, value: Cell)] = [
      ("id", "id", .text(account.id.text)), ("email", "email", .text(account.email)),
      ("email_verified", "verified", .boolean(account.emailVerifiedAt != nil)),
      ("disabled", "disabled", .boolean(account.disabledAt != nil)),
    ]
    for name in account.profile.keys.sorted() { fields.append((name, name, cell(account.profile[name] ?? .null))) }
    fields.append(("online", "online", .boolean(account.isOnline)))
    fields.append(("last_seen", "last seen", account.lastSeen.map(time) ?? .none))
    fields.append(("created_at", "created", time(account.createdAt)))
    return Record("user", fields)
  }

  static func time(_ date: Date) -> Cell { .time(Int(date.timeIntervalSince1970)) }

  private static func cell(_ value: FieldValue) -> Cell {
    switch value {
    case .string(let text): .text(text)
    case .integer(let number): .integer(Int(number))
    case .boolean(let flag): .boolean(flag)
    case .null, .unsupported: .none
    }
  }
}
