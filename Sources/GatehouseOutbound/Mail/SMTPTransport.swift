package import GatehouseIdentity

/// Mail over SMTP by libcurl, on threads of its own: no event loop waits for a mail server.
///
/// Connections are kept for the next message for half a minute. TLS certificates are always verified, the host name
/// included. The outcome follows the reply: 5xx to sender, recipient or content is permanent; 4xx, a refused login, a
/// refused session and every failure below SMTP are temporary, since an operator or time mends them.
package struct SMTPTransport: MailTransport {
  package let destination: String
  private let threads: BlockingThreads<SMTPSession>

  /// `connections` is how many messages can be under way at once (1 to 16); `waiting` how many more may queue.
  package init(_ settings: SMTPSettings, connections: Int = 2, waiting: Int = 256) {
    destination = settings.authority
    threads = BlockingThreads(name: "mail-smtp", count: min(16, max(1, connections)), limit: max(1, waiting)) {
      SMTPSession(settings)
    }
  }

  package func deliver(_ message: MailMessage) async -> DeliveryOutcome {
    let mime: MIMEMessage
    do {
      mime = try MIMEMessage(message)
    } catch {
      return .permanentFailure(reason: error.description)
    }
    let outcome = await threads.run { session in session.deliver(mime) }
    return outcome ?? .temporaryFailure(reason: "too many messages are waiting for the mail server")
  }

  /// Connects, secures, signs in and says NOOP, without sending anything: whether the settings work.
  package func probe() async -> DeliveryOutcome {
    await threads.run { session in session.probe() } ?? .temporaryFailure(reason: "too many messages are waiting")
  }
}
