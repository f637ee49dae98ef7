// The path of a message through the business, in order: an order is written to the outbox with its cause, sealed;
// after the commit a job takes it and hands it to the channel of its contact, which makes the words and sends them.

package import Foundation

/// The name of a channel. The raw value is stored, and never changes its meaning.
package enum ChannelID: String, CaseIterable, Sendable {
  case mail
  case sms
}

/// A way for messages to leave: the words of one medium, and what carries them.
package protocol Channel: Sendable {
  var id: ChannelID { get }
  /// Where its messages go, for the log: host and port, or a directory.
  var destination: String { get }

  /// One attempt, bounded in time by the channel's own settings. Every end of it is an outcome. Safe to call from many
  /// tasks at once; blocks no thread of the caller's.
  ///
  /// Throws where the message cannot be put into words. Trying again does not help until the cause is mended.
  func dispatch(_ message: Dispatch) async throws -> DeliveryOutcome
}

/// A message that is taken from the outbox, opened.
package struct Dispatch: Sendable {
  /// The same at each retry, so that a message delivered twice is recognised.
  package let id: UUID
  /// When the message was made (not: when it is tried).
  package let createdAt: Date
  package let order: MessageOrder
  package let tenant: TenantSnapshot

  package init(id: UUID, createdAt: Date, order: MessageOrder, tenant: TenantSnapshot) {
    (self.id, self.createdAt, self.order, self.tenant) = (id, createdAt, order, tenant)
  }
}

/// The outcome of one attempt. The texts are for operators: they hold the other side's reply, no contact, link or code.
package enum DeliveryOutcome: Sendable, Equatable {
  /// The next hop took responsibility for the message.
  case delivered(detail: String)
  /// It may work later: a 4xx reply, no connection, a time-out. Also when the reply to the data was lost, so that a
  /// retry can deliver twice.
  case temporaryFailure(reason: String)
  /// It will not work: a 5xx reply, or a message that may not be sent.
  case permanentFailure(reason: String)
}

/// The channels of a server, one for each name.
package struct Channels: Sendable {
  private let all: [ChannelID: any Channel]

  /// - Parameter all: channels with different names.
  package init(_ all: [any Channel]) {
    self.all = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The names of those that there are.
  package var ids: [ChannelID] { ChannelID.allCases.filter { all[$0] != nil } }

  /// The channel of this name; nil where the server has none.
  package subscript(id: ChannelID) -> (any Channel)? { all[id] }
}
