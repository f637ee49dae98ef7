package import GatehousePolicyFile
import GatehouseWire

/// Changes of the floor. They are made on a machine of the installation alone: no route of the admin API leads here.
package enum Floors {
  package enum Outcome: Sendable, Equatable {
    /// The newest revision is the same, byte for byte.
    case unchanged(revision: Int)
    case applied(revision: Int)
  }

  /// A tenant whose live policy is below a floor.
  package struct Below: Sendable, Equatable {
    package let tenant: String
    /// Each place, in a sentence.
    package let places: [String]
  }

  /// Puts a floor in force for all tenants; nil removes it. Live policies stay: they are refused only where an edit is
  /// further below.
  /// - Throws: `OperatorError` where another floor was applied at the same moment.
  package static func apply(
    _ floor: Floor?, author: Author, isDryRun: Bool = false, _ services: Services
  ) async throws -> Outcome {
    let newest = try await services.floors.newestFloor()
    let number = newest?.number ?? 0
    guard floor?.text != newest?.text else { return .unchanged(revision: number) }
    guard !isDryRun else { return .applied(revision: number + 1) }
    let next = FloorRevision(
      number: number + 1, text: floor?.text, file: floor?.name ?? "", author: author.name, reason: author.reason,
      createdAt: services.clock.now)
    do {
      try await services.floors.append(
        next,
        record: author.entry(
          .floorChanged, services, revision: next.number,
          details: floor.map { ["file": $0.name] } ?? ["removed": "true"]))
    } catch StoreError.refused(.floorIsCurrent) {
      throw OperatorError(
        .stale, "another floor was applied at the same moment; nothing is applied", hint: "gatehouse floor show")
    }
    try await services.floor.follow(services.floors)
    return .applied(revision: next.number)
  }

  /// Reads the floor in force. A database that never held one takes the configured file: of several servers at once one
  /// is faster, and the others follow it.
  package static func follow(_ services: Services) async throws {
    try await services.floor.follow(services.floors)
    guard let file = services.choices.now.configuredFloor else { return }
    // GUARD: floor: a file is taken only by a database that never held one
    guard services.floor.now.number == 0 else { return }
    do {
      _ = try await apply(file, author: Author(.system("serve"), name: "serve", reason: "the first floor"), services)
    } catch let error as OperatorError where error.kind == .stale {
      try await services.floor.follow(services.floors)
    }
  }

  /// The tenants whose live policy is below this floor.
  package static func below(_ floor: Floor, _ services: Services) async throws -> [Below] {
    var found: [Below] = []
    for tenant in try await services.directory.tenants() {
      guard let live = try await services.store.open(tenant.id).newestRevision(),
        case .success(let file) = services.files.file(of: live, of: tenant.name)
      else { continue }
      let sink = Diagnostics()
      floor.judge(file, into: sink)
      let places = sink.found.map(\.message)
      if !places.isEmpty { found.append(Below(tenant: tenant.name.description, places: places)) }
    }
    return found
  }
}
