import Foundation
public import GatehouseClient

/// A question to the owner of a device that a test answers: `configuration.unlock = .biometrics(gate: gate)`.
public final class ManualGate: UnlockGate, @unchecked Sendable {
  private let lock = NSLock()
  private var asked: [String] = []
  private var waiting: [CheckedContinuation<UnlockError?, Never>] = []

  /// A gate that nothing was asked of.
  public init() {}

  /// The reason of each question so far.
  public var reasons: [String] { lock.withLock { asked } }
  /// Whether a question waits for its answer.
  public var isAsking: Bool { lock.withLock { !waiting.isEmpty } }

  /// The owner proves to be there.
  public func open() { answer(nil) }

  /// The session stays locked.
  public func refuse(_ error: UnlockError) { answer(error) }

  /// Waits for the test's answer.
  public func ask(_ reason: String) async throws(UnlockError) {
    let error = await withCheckedContinuation { continuation in
      lock.withLock {
        asked.append(reason)
        waiting.append(continuation)
      }
    }
    if let error { throw error }
  }

  private func answer(_ error: UnlockError?) {
    let all = lock.withLock {
      defer { waiting = [] }
      return waiting
    }
    for continuation in all { continuation.resume(returning: error) }
  }
}
