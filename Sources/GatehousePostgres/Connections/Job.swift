import Foundation
import GatehousePrimitives

/// One batch on its way: its statements, who waits for it, and what a lost connection means for it.
final class Job: @unchecked Sendable {
  // SAFETY: made by the caller, then touched only on the loop it was submitted to.

  enum Kind {
    /// Changes nothing: a lost connection lets it be sent once more.
    case read
    /// One implicit transaction that commits at its end: a lost connection leaves its outcome unknown.
    case write
    /// Part of an explicit transaction that has not been told to commit: a lost connection rolls it back.
    case step
    /// COMMIT of an explicit transaction.
    case commit
  }

  let kind: Kind
  let statements: [SQL]
  /// Results of statements that the caller did not write itself (setting the tenant).
  let hidden: Int
  /// How long the answer is awaited once it was sent.
  private let timeout: Duration
  /// Until when; set by `markSent`.
  private(set) var deadline: ContinuousClock.Instant
  /// How long it may wait for a connection, each time there is none.
  private let patience: Duration
  /// Until when it waits; set by `markWaiting`.
  private(set) var waitsUntil: ContinuousClock.Instant
  private var completion: ((Result<[Rows], DatabaseError>) -> Void)?
  /// It was sent again after a lost connection.
  var wasResent = false
  /// It was sent again because a prepared statement was gone or outdated.
  var wasPreparedAnew = false

  init(
    _ kind: Kind, _ statements: [SQL], hidden: Int = 0, timeout: Duration, patience: Duration = .zero,
    _ completion: @escaping (Result<[Rows], DatabaseError>) -> Void
  ) {
    self.kind = kind
    self.statements = statements
    self.hidden = hidden
    self.completion = completion
    let now = ContinuousClock.now
    self.timeout = timeout
    deadline = now + patience + timeout
    self.patience = patience
    waitsUntil = now + patience
  }

  /// A statement, if one is needed, that sets the tenant, the time of `gatehouse.now()` and the flush for the
  /// transaction it stands in, and only for that.
  static func opening(_ tenant: UUID?, now: Date?, flushed: Flush = .beforeAnswer) -> [SQL] {
    var settings: [SQL] = []
    if let tenant {
      settings.append("set_config('app.tenant', \(tenant.text), /* GUARD: tenant: ends with its batch */ true)")
    }
    if let now { settings.append("set_config('app.now', (\(now)::timestamptz)::text, true)") }
    if flushed == .later {
      settings.append(
        "set_config('synchronous_commit', 'off', /* GUARD: a flush that waits: ends with its batch */ true)")
    }
    return settings.isEmpty ? [] : ["SELECT \(SQL.joined(settings, by: ", "))"]
  }

  /// The time limit counts from here.
  func markSent() { deadline = .now + timeout }

  /// The patience counts from here.
  func markWaiting() { waitsUntil = .now + patience }

  /// Whether its caller waits no more.
  var isAnswered: Bool { completion == nil }

  /// When a connection on which nothing has come since then is silent.
  func silence(since heard: ContinuousClock.Instant) -> ContinuousClock.Instant { max(deadline, heard + timeout) }

  /// Ends the wait, once; a second end is ignored.
  func finish(_ result: Result<[Rows], DatabaseError>) {
    guard let waiting = completion else { return }
    completion = nil
    waiting(hidden == 0 ? result : result.map { Array($0.dropFirst(hidden)) })
  }

  /// The answer when the connection went away after this was sent.
  var lossOfConnection: DatabaseError {
    switch kind {
    case .read, .step: .unavailable
    case .write, .commit: .unknownOutcome  // GUARD: lane: a lost write is not known
    }
  }

  /// A statement that can not be sent at all, or nil.
  var refusal: DatabaseError? {
    for statement in statements {
      if statement.parameters.count > 65_535 {
        return .server(sqlState: "54011", constraint: nil, note: PrivateNote("more than 65535 parameters"))
      }
      // GUARD: lane: NUL in a text
      for parameter in statement.parameters where !parameter.isBinary && parameter.bytes?.contains(0) == true {
        // libpq would end the value at the NUL and so store something else than was checked.
        return .server(sqlState: "22021", constraint: nil, note: PrivateNote("NUL in text"))
      }
    }
    return nil
  }
}
