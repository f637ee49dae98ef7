import Foundation
import GatehousePolicy
import GatehouseAdminWire
import GatehouseWire

/// The common parts of the commands about one user.
enum UserVerb {
  static let user = Argument("USER", "the user's address or id")
  /// The user of a command that takes a filter too.
  static let oneUser = Argument("USER", "the user's address or id; without it a filter", .optional)

  static let exits: KeyValuePairs<Exit, String> = [
    .notFound: "no such tenant or user", .notAllowed: "the policy refuses it", .unavailable: "the database failed",
  ]

  /// Finds the user, asks where something is lost, and acts unless it is a dry run.
  static func run(
    _ invocation: Invocation, losing: ((UserRecord) -> [String])? = nil, done: String,
    _ act: (OperatorBackend, _ tenant: String, UserRecord) async throws -> Void
  ) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.backend(invocation) { backend in
      let user = try await backend.send(
        ShowUserOperation.self, .init(tenant: tenant, user: try invocation.argument("USER")))
      invocation.answer([
        "tenant": .text(tenant), "id": .text(user.id), "email": user.email.map(Cell.text) ?? .none,
        "dry_run": .boolean(invocation.isDryRun),
      ])
      if let losing { try invocation.confirm(losing(user), typing: name(user)) }
      if invocation.isDryRun {
        invocation.terminal.note("\(name(user)) of \(tenant) would be \(done)")
        return .ok
      }
      try await act(backend, tenant, user)
      invocation.terminal.note("\(name(user)) of \(tenant): \(done)")
      return .ok
    }
  }

  /// The address, or the id where there is none.
  static func name(_ user: UserRecord) -> String { user.email ?? user.id }

  /// A user as a record.
  static func record(_ user: UserRecord) -> Record {
    var fields: [(key: String, title: String, value: Cell)] = [
      ("id", "id", .text(user.id)), ("email", "email", user.email.map(Cell.text) ?? .none),
      ("email_verified", "verified", .boolean(user.emailVerified)),
      ("disabled", "disabled", .boolean(user.disabled)),
    ]
    // Names that a policy chose stay apart from ours: a field called `id` is no id of an account.
    let profile = user.profile.keys.sorted().map { name in
      Cell.Field(key: name, value: cell(user.profile[name] ?? .null))
    }
    fields.append(("profile", "", .object(profile)))
    let leftovers = user.leftovers ?? []
    for field in profile {
      let mark = leftovers.contains(field.key) ? " (not in the policy)" : ""
      fields.append(("", "profile.\(Visible.line(field.key))\(mark)", field.value))
    }
    fields.append(("leftovers", "", .list(leftovers.map(Cell.text))))
    fields.append(("online", "online", .boolean(user.online)))
    fields.append(("last_seen", "last seen", user.lastSeen.map(time) ?? .none))
    let last = user.lastSignIn
    fields.append(("last_sign_in", "last sign-in", last.map { time($0.at) } ?? .none))
    fields.append(("last_sign_in_method", "signed in by", last?.method.map(Cell.text) ?? .none))
    fields.append(("last_sign_in_device", "on device", last?.device.map(Cell.text) ?? .none))
    fields.append(("last_sign_in_place", "near", last?.place.map(Cell.text) ?? .none))
    fields.append(("created_at", "created", time(user.createdAt)))
    return Record("user", fields)
  }

  /// Fields of a profile as cells of a list: one for each name, or all as one object.
  static func profile(_ profile: [String: FieldValue], _ names: [String], isNested: Bool) -> [Cell] {
    let cells = names.map { cell(profile[$0] ?? .null) }
    return isNested ? [.object(zip(names, cells).map { Cell.Field(key: $0, value: $1) })] : cells
  }

  static func time(_ moment: GatehouseWire.Timestamp) -> Cell { .time(Int(moment.seconds)) }
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
