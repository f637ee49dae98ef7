package import GatehousePolicyFile
import GatehousePrimitives

/// The floor as the database holds it. A process that applies policies reads it there, so that all of them are held to
/// the same one; the store refuses a policy that was held to an earlier one.
package final class FloorInForce: Sendable {
  package struct State: Sendable {
    /// The number of the newest revision; 0 where there was never a floor.
    package var number = 0
    /// Nil where there is none.
    package var floor: Floor?
    /// Why the newest revision is of no use to this version.
    package var unreadable: String?
  }

  private let state = LockBox(State())

  package init() {}

  package var now: State { state.withLock { $0 } }

  /// Reads the newest revision, where it is another one than before.
  package func follow(_ store: any FloorStore) async throws {
    guard try await store.newestFloorNumber() != now.number, let newest = try await store.newestFloor() else { return }
    let read = Self.read(newest)
    // Two may read at once: a floor never goes back.
    state.withLock { if read.number > $0.number { $0 = read } }
  }

  private static func read(_ revision: FloorRevision) -> State {
    guard let text = revision.text else { return State(number: revision.number) }
    switch Floor.read(Array(text.utf8), name: revision.file) {
    case .success(let floor): return State(number: revision.number, floor: floor)
    case .failure(let refusal): return State(number: revision.number, unreadable: refusal.text())
    }
  }

  /// A difference between the floor in force and the one that the operator means.
  package struct Trouble: Sendable, Equatable {
    package let sentence: String
    package let advice: String
  }

  /// Why policies are not held to the floor that the operator means: the database's cannot be read, or the configured
  /// file is another one. Nil where they are.
  package func trouble(configured file: Floor?) -> Trouble? {
    let now = now
    guard now.unreadable == nil else {
      return Trouble(
        sentence: "revision \(now.number) of the floor cannot be read by this version", advice: "upgrade it")
    }
    guard let file else { return nil }
    // GUARD: floor: a file that differs
    guard !file.text.utf8.elementsEqual((now.floor?.text ?? "").utf8) else { return nil }
    let held = now.floor == nil ? "holds none" : "holds revision \(now.number), another one"
    return Trouble(
      sentence: "the floor \(file.name) is not in force: the database \(held)",
      advice: "gatehouse floor apply \(file.name); or gatehouse floor show > \(file.name)")
  }
}
