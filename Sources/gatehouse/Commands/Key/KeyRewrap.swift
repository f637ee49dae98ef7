import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key rewrap`.
enum KeyRewrap {
  static let command = Command(
    "key", "rewrap", summary: "Seal every tenant's data key under a new key-encryption key",
    notes: [
      "First name the new key as kek.other_file and restart the servers, one after the other: each now opens values of"
        + " both keys. Then exchange kek.file and kek.other_file, and restart again. Then run this: it wraps each tenant's"
        + " data key anew while everything goes on. When nothing remains, take kek.other_file away; only then throw the"
        + " old key away, and remember the backups that it opens.",
      "It may be stopped at any moment and run again: finished work is kept.",
    ],
    examples: [
      Example("gatehouse key rewrap", "wrap the data keys that are not yet under kek.file"),
      Example("gatehouse key rewrap --dry-run", "count, and change nothing"),
      Example("gatehouse key rewrap --output json", "for a script"),
    ],
    exits: [.no: "some data key opens with neither key", .unavailable: "the database failed"],
    mutating: true, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let count = try await backend.send(RewrapKeysOperation.self, .init(dryRun: invocation.isDryRun))
      try invocation.print(
        Record(
          "key.rewrap",
          [
            ("rewrapped", "wrapped anew", .integer(count.rewrapped)),
            ("before", "wrapped by kek.file before", .integer(count.before)),
            ("remaining", "to be wrapped anew", .integer(count.remaining)),
            ("unknown", "opened by neither key", .list(count.unknown.map { .text($0) })),
          ]))
      guard count.unknown.isEmpty else {
        throw Failure(.no, "\(count.unknown.count) data keys open with neither key; nothing of theirs was changed")
      }
      return .ok
    }
  }
}
