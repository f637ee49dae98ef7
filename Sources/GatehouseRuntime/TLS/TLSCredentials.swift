import CTLS
import Glibc

/// Certificate and key of a server, and the keys of its session tickets. Every connection uses the pair that is in
/// force when it begins; one that is open keeps its own. From any thread.
package final class TLSCredentials: Sendable {
  private struct State: Sendable {
    var context: TLSContext
    /// The files as they were when they were last read, and when they were last looked at.
    var read: [FileStamp]
    var seen: [FileStamp]
  }

  private let certificatePath: String
  private let keyPath: String
  private let tickets: TicketKeys
  private let state: Locked<State>

  /// Reads a chain of certificates (the server's first) and its private key, both in PEM.
  package convenience init(certificate: String, key: String) throws(TLSError) {
    try self.init(certificate: certificate, key: key, tickets: TicketKeys())
  }

  init(certificate: String, key: String, tickets: TicketKeys) throws(TLSError) {
    certificatePath = certificate
    keyPath = key
    self.tickets = tickets
    let stamps = [FileStamp(certificate), FileStamp(key)]
    let context = try TLSContext(try TLSFiles(certificate: certificate, key: key), tickets: tickets)
    state = Locked(State(context: context, read: stamps, seen: stamps))
  }

  /// When the certificate in force ends, in seconds since 1970.
  package var expiry: Int { state.withLock { $0.context.expiry } }

  /// Whether the certificate in force is for this host name or address.
  package func covers(_ host: String) -> Bool { state.withLock { $0.context }.covers(host) }

  /// Reads both files again. If they are of no use, the pair in force stays, and the error says why.
  package func reload() throws(TLSError) {
    let stamps = stamps
    state.withLock { state in
      state.read = stamps
      state.seen = stamps
    }
    let context = try TLSContext(try TLSFiles(certificate: certificatePath, key: keyPath), tickets: tickets)
    state.withLock { $0.context = context }
  }

  /// Reloads if a file changed since it was read, once both have stayed unchanged from one call to the next: an
  /// operator replaces one after the other. To be called every few seconds. True after a change to a new pair.
  package func followFiles() throws(TLSError) -> Bool {
    tickets.expire()
    let stamps = stamps
    let isDue = state.withLock { state in
      defer { state.seen = stamps }
      return stamps != state.read && stamps == state.seen
    }
    if isDue { try reload() }
    return isDue
  }

  /// A connection that begins; nil without memory for it.
  func accept(_ descriptor: Int32) -> TLSTransport? {
    let context = state.withLock { $0.context }
    return context.makeConnection().flatMap { TLSTransport(descriptor, ssl: $0, tickets: tickets) }
  }

  private var stamps: [FileStamp] { [FileStamp(certificatePath), FileStamp(keyPath)] }
}
