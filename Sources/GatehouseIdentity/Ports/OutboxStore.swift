package import Foundation

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
  /// After this it is not sent any more: its code or link is dead.
  package var expiresAt: Date
  package var attempts: Int

  package init(
    id: UUID, kind: MessageKind, channel: ChannelID, user: UserID? = nil, sealedOrder: [UInt8], createdAt: Date,
    expiresAt: Date,
    attempts: Int = 0
  ) {
    self.id = id
    self.kind = kind
    self.channel = channel
    self.user = user
    self.sealedOrder = sealedOrder
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.attempts = attempts
  }
}

/// One tenant's side of the outbox.
package protocol OutboxStore: Sendable {
  /// Removes a delivered message, its sealed body with it, and keeps when it went.
  func markDelivered(_ id: UUID) async throws
  /// Keeps a message for another try, or gives it up when `retryAfter` is nil.
  func markFailed(_ id: UUID, reason: String, retryAfter: Int?) async throws
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
