import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Documents of providers that many requests need and that seldom change: fetched once for all of them, kept for an
/// hour, and used for a day while they can not be fetched anew.
final class SharedDocument<Value: Sendable>: Sendable {
  struct Times: Sendable {
    /// Seconds for which it is not asked for again.
    var fresh: TimeInterval = 3600
    /// Seconds for which it is used while the provider does not answer.
    var stale: TimeInterval = 86_400
    /// The least number of seconds between two attempts.
    var pause: TimeInterval = 30
  }

  typealias Outcome = Result<Value, ProviderFailure>

  private struct Entry {
    var value: Value?
    var fetchedAt = Date.distantPast
    var triedAt = Date.distantPast
    var failure: ProviderFailure?
    var isUnderWay = false
    var waiting: [CheckedContinuation<Outcome, Never>] = []
  }

  private enum Step {
    case answer(Outcome)
    case fetch, wait
  }

  private let entries = LockBox<[String: Entry]>([:])
  private let times: Times
  /// Documents that are kept at most: a tenant's policy may name any provider.
  private static var limit: Int { 1024 }

  init(_ times: Times = Times()) { self.times = times }

  /// The document called `key`; `isOutdated` says that the kept document lacks something that the caller needs.
  func get(
    _ key: String, isOutdated: Bool = false, at now: Date,
    fetch: () async throws(ProviderFailure) -> Value
  ) async throws(ProviderFailure) -> Value {
    switch entries.withLock({ step(key, isOutdated, now, &$0) }) {
    case .answer(let outcome): return try outcome.get()
    case .wait:
      let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
        let ready = entries.withLock { entries -> Outcome? in
          // It may have ended between the two looks.
          guard var entry = entries[key], entry.isUnderWay else {
            return entries[key]?.value.map(Outcome.success)
              ?? .failure(entries[key]?.failure ?? .unavailable(retryAfter: 1))
          }
          entry.waiting.append(continuation)
          entries[key] = entry
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
      return try outcome.get()
    case .fetch:
      let outcome: Outcome
      do { outcome = .success(try await fetch()) } catch { outcome = .failure(error) }
      return try finish(key, outcome, isOutdated, now).get()
    }
  }

  private func step(_ key: String, _ isOutdated: Bool, _ now: Date, _ entries: inout [String: Entry]) -> Step {
    var entry = entries[key] ?? Entry()
    let age = max(0, now.timeIntervalSince(entry.fetchedAt))
    // Where the clock was set back, the last attempt lies in the future: its distance from now counts.
    let sinceTry = abs(now.timeIntervalSince(entry.triedAt))
    let isFresh = age < times.fresh && !isOutdated
    if let value = entry.value, age < times.stale {
      if isFresh { return .answer(.success(value)) }
      if sinceTry < times.pause, !entry.isUnderWay {
        // A caller that misses something in the kept document gets the failure of the last attempt, if it failed.
        if isOutdated, let failure = entry.failure { return .answer(.failure(failure)) }
        return .answer(.success(value))
      }
      if entry.isUnderWay, !isOutdated { return .answer(.success(value)) }
    }
    if entry.isUnderWay { return .wait }
    entry.isUnderWay = true
    entry.triedAt = now
    if entries.count >= Self.limit, entries[key] == nil { entries = entries.filter(\.value.isUnderWay) }
    entries[key] = entry
    return .fetch
  }

  private func finish(_ key: String, _ outcome: Outcome, _ isOutdated: Bool, _ now: Date) -> Outcome {
    let (waiting, kept) = entries.withLock { entries -> ([CheckedContinuation<Outcome, Never>], Value?) in
      var entry = entries[key] ?? Entry()
      entry.isUnderWay = false
      switch outcome {
      case .success(let value):
        entry.value = value
        entry.fetchedAt = now
        entry.failure = nil
      case .failure(let failure): entry.failure = failure
      }
      let waiting = entry.waiting
      entry.waiting = []
      let isUsable = now.timeIntervalSince(entry.fetchedAt) < times.stale
      entries[key] = entry
      return (waiting, isUsable && !isOutdated ? entry.value : nil)
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
    if case .failure = outcome, let kept { return .success(kept) }
    return outcome
  }
}
