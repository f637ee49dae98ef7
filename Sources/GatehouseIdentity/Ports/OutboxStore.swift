package import Foundation
package import GatehousePrimitives

/// A message as it waits: sealed, with what the worker must know to send it or let it go.
package struct OutgoingMessage: Sendable, Equatable {
  package var id: UUID
  package var kind: MessageKind
  /// The channel of its contact.
  package var channel: ChannelID
  /// The account that it is about: the message goes with it. Nil while there is none.
  package var user: UserID?
  /// The `MessageOrder`, sealed under the tenant's key.
  package var sealedOrder: [UInt8]
  package var createdAt: Date
  /// After this it is not sent any more: it waited too long.
  package var expiresAt: Date
  package var attempts: Int
  /// The code whose time begins when the message is sent; nil where it carries none.
  package var carried: CarriedCode?
  /// The request that made it, where that is traced. The store writes it by itself.
  package var origin: TraceParent?

  package init(
    id: UUID, kind: MessageKind, channel: ChannelID, user: UserID? = nil, sealedOrder: [UInt8], createdAt: Date,
    expiresAt: Date,
    attempts: Int = 0, carried: CarriedCode? = nil
  ) {
    self.id = id
    self.kind = kind
    self.channel = channel
    self.user = user
    self.sealedOrder = sealedOrder
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.attempts = attempts
    self.carried = carried
  }
}

/// The code of a waiting message, with the time that it is good for once the message was sent.
package struct CarriedCode: Sendable, Equatable {
  package var id: UUID
  /// Nil for a part whose time the message does not begin.
  package var linkSeconds, codeSeconds: Int64?

  package init(id: UUID, linkSeconds: Int64?, codeSeconds: Int64?) {
    (self.id, self.linkSeconds, self.codeSeconds) = (id, linkSeconds, codeSeconds)
  }
}

/// Seconds that the parts of a code still have.
package struct CodeTime: Sendable, Equatable {
  package var link, digits: Int

  package init(link: Int, digits: Int) { (self.link, self.digits) = (link, digits) }
}

/// A message that waits, as operators see it.
package struct WaitingMessage: Sendable, Equatable {
  package var id: UUID
  package var kind: String
  package var createdAt, dueAt, expiresAt: Date
  package var attempts: Int
  package var lastError: String?

  package init(
    id: UUID, kind: String, createdAt: Date, dueAt: Date, expiresAt: Date, attempts: Int, lastError: String?
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.dueAt = dueAt
    self.expiresAt = expiresAt
    self.attempts = attempts
    self.lastError = lastError
  }
}

/// Messages that an operator means: all that fit both members, nil for any.
package struct WaitingChoice: Sendable, Equatable {
  package var ids: [UUID]?
  package var kind: MessageKind?

  package init(ids: [UUID]? = nil, kind: MessageKind? = nil) { (self.ids, self.kind) = (ids, kind) }
}

/// One tenant's side of the outbox.
package protocol OutboxStore: Sendable {
  /// The time left of the code that a message carries; nil where it was used or became void.
  func timeLeft(of code: UUID) async throws -> CodeTime?
  /// Removes a delivered message, its sealed body with it, and keeps when it went. In the same commit the time of its
  /// code begins, which never becomes longer by that.
  func markDelivered(_ id: UUID) async throws
  /// Keeps a message for another try, or gives it up when `retryAfter` is nil. A message that is given up may have
  /// arrived at an earlier try: the time of its code begins as well.
  func markFailed(_ id: UUID, reason: String, retryAfter: Int?) async throws
  /// Messages that wait and whose time is not over, oldest first.
  func waiting(limit: Int) async throws -> [WaitingMessage]
  /// Makes messages due that wait for longer than `lease` from now; how many. A worker may hold the others.
  func retry(_ choice: WaitingChoice, beyond lease: Int, noting entry: AuditEntry) async throws -> Int
  /// Gives waiting messages up, and leaves their codes as they are; how many.
  func drop(_ choice: WaitingChoice, noting entry: AuditEntry) async throws -> Int
}

/// The sweep of expired rows of all tenants, by the jobs role.
package protocol ExpirySweep: Sendable {
  /// One round: at most `batch` rows of each kind go, and sealed values whose time is over are erased. How many, by
  /// kind; a kind that reached `batch` may have more.
  func prune(batch: Int) async throws -> [String: Int]
}

/// The worker's side: the waiting messages of all tenants, by the jobs role.
package protocol OutboxQueue: Sendable {
  /// Takes up to `limit` messages of these channels that are due, for `lease` seconds: no other worker gets them
  /// meanwhile (SKIP LOCKED), and a worker that died loses them only that long. Expired ones are given up here.
  func takeDue(on channels: [ChannelID], limit: Int, lease: Int) async throws
    -> [(tenant: TenantID, message: OutgoingMessage)]
  /// Makes messages due that were postponed for longer than `lease` from now. Those that a worker holds are due sooner,
  /// and so stay its own.
  func wake(on channel: ChannelID, beyond lease: Int) async throws
  /// Messages that wait, and the age of the oldest in seconds.
  func backlog() async throws -> (waiting: Int, oldest: Int)
}
