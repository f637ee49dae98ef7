import CTLS
import Glibc

/// Certificate and key of a server, and the keys of its session tickets. Every connection uses the pair that is in
/// force when it begins; one that is open keeps its own. From any thread.
package final class TLSCredentials: Sendable {
  /// A certificate and its key, read together.
  package struct Pair: Sendable {
    fileprivate let context: TLSContext
  }

  private let tickets: TicketKeys
  private let context: Locked<TLSContext>

  /// Reads a chain of certificates (the server's first) and its private key, both in PEM.
  package convenience init(certificate: String, key: String) throws(TLSError) {
    try self.init(certificate: certificate, key: key, tickets: TicketKeys())
  }

  init(certificate: String, key: String, tickets: TicketKeys) throws(TLSError) {
    self.tickets = tickets
    context = Locked(try TLSContext(try TLSFiles(certificate: certificate, key: key), tickets: tickets))
  }

  /// When the certificate in force ends, in seconds since 1970.
  package var expiry: Int { context.withLock { $0.expiry } }

  /// Whether the certificate in force is for this host name or address.
  package func covers(_ host: String) -> Bool { context.withLock { $0 }.covers(host) }

  /// Reads another pair; the one in force stays.
  package func read(certificate: String, key: String) throws(TLSError) -> Pair {
    Pair(context: try TLSContext(try TLSFiles(certificate: certificate, key: key), tickets: tickets))
  }

  /// Puts a pair in force, for connections that begin from now on.
  package func use(_ pair: Pair) { context.withLock { $0 = pair.context } }

  /// Forgets keys of tickets that are too old. To be called every few seconds.
  package func expireTickets() { tickets.expire() }

  /// A connection that begins; nil without memory for it.
  func accept(_ descriptor: Int32) -> TLSTransport? {
    let context = context.withLock { $0 }
    return context.makeConnection().flatMap { TLSTransport(descriptor, ssl: $0, tickets: tickets) }
  }
}
