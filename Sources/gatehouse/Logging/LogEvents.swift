/// All events of the log: the level of each, its meaning, and what an operator does about it.
enum LogEvents {
  struct Event: Sendable {
    let name: String
    let level: LogLevel
    let meaning: String
    /// Empty where there is nothing to do.
    let action: String

    init(_ name: String, _ level: LogLevel, _ meaning: String, _ action: String = "") {
      self.name = name
      self.level = level
      self.meaning = meaning
      self.action = action
    }
  }

  private static let database = "see that the database answers: `gatehouse doctor`; the work is tried again"

  /// In the order of their names.
  static let all: [Event] = [
    Event(
      "audit.not_sealed", .error, "rows of an audit log were not chained and signed",
      "`gatehouse audit verify`; \(database)"),
    Event("clock.agrees", .info, "the clocks of server and database agree again"),
    Event(
      "clock.differs", .warning, "the clock of the server differs from the database's",
      "see to the time service of both machines"),
    Event(
      "clock.too_far", .error, "the clocks differ by so much that the server is not ready",
      "see to the time service of both machines"),
    Event("config.needs_restart", .warning, "a changed setting is taken at a start alone", "restart the server"),
    Event(
      "config.not_reloaded", .error, "a new configuration cannot be used; the one before is in force",
      "`gatehouse config check`"),
    Event("config.reloaded", .info, "a new configuration is in force"),
    Event(
      "connections.not_trusted", .warning, "other machines connected in clear and were not served",
      "name the proxies in `proxies.trusted`, or close the port to strangers"),
    Event("counts.not_returned", .error, "tries that were reserved were not given back to their limits", database),
    Event("data_keys.not_counted", .error, "uses of data keys were not written", database),
    Event(
      "database.refuses_writes", .error, "the database refuses writes; requests that write are answered 503",
      "free its disk, or see which server is the primary one"),
    Event("database.takes_writes", .info, "the database takes writes again"),
    Event("deleted.not_erased", .error, "deleted accounts whose time is over were not erased", database),
    Event(
      "edge.not_trusted", .error, "clients refuse the certificate at `public_url` or at a host of a tenant",
      "renew the certificate that the proxy, or the server, has there"),
    Event("expired.not_noted", .error, "ends of sessions were not written to the audit log", database),
    Event("expired.not_pruned", .error, "rows whose time is over were not removed", database),
    Event("floor.agrees", .info, "the configured floor is in force again"),
    Event(
      "floor.differs", .error, "the configured floor is not the one in force, and the server is not ready",
      "`gatehouse floor apply`, or put the file back"),
    Event("floor.not_followed", .error, "the floor was not read from the database", database),
    Event("grants.not_revoked", .error, "grants of providers were not given back", database),
    Event(
      "grants.not_warmed", .error, "a grant of a provider was not used in time to stay alive",
      "see that the provider answers; the work is tried again"),
    Event("limits.relaxed", .info, "a development server multiplies limits"),
    Event(
      "mail.not_delivered", .error,
      "the row of a mail was not written before or after a try; the mail may arrive twice", database),
    Event(
      "mail.postponed", .warning, "a mail was not taken; it is tried again",
      "where many wait, see to the mail server: `gatehouse mail queue`, then `gatehouse mail retry`"),
    Event(
      "mail.refused", .warning, "a mail was refused for good",
      "where it is more than one address, `gatehouse mail send-test`"),
    Event(
      "mail.waits", .error, "mails wait for more than five minutes",
      "see to the mail server: `gatehouse mail queue`, then `gatehouse mail retry`"),
    Event("mail_queue.not_read", .error, "the queue of mails was not read", database),
    Event("policy.applied", .info, "a watched policy file is live"),
    Event("policy.differs", .warning, "a watched policy file is not the live policy", "the command in the line"),
    Event(
      "policy.directory_lost", .error, "the directory of watched policy files cannot be listed",
      "see to its path and its rights"),
    Event(
      "policy.password_door_kept", .warning, "a policy keeps a door for passwords that no page of it leads to",
      "the command in the line"),
    Event("policy.refused", .warning, "a watched policy file cannot be applied", "the command in the line"),
    Event(
      "policy.sender_not_allowed", .warning, "a policy names a sender that this server does not allow",
      "allow the sender, or change the policy"),
    Event("policy.unchanged", .info, "a watched policy file is the live policy already"),
    Event(
      "policy.waiting", .warning, "the database did not answer when a policy file was edited",
      "nothing; the edit is tried again"),
    Event("presence.not_written", .error, "the last use of sessions was not written", database),
    Event("proofs.not_filled", .error, "proofs of older sessions were not filled in", database),
    Event("push_digests.not_filled", .error, "digests of older push tokens were not filled in", database),
    Event(
      "request", .info, "a request was answered; at level error where the server failed",
      "the note and the id of the request lead to the cause of an error"),
    Event("sealed.not_bound", .error, "older sealed values were not bound to their place", database),
    Event(
      "secret.elsewhere", .error, "the secret of a provider was set for other addresses than those of the policy",
      "the command in the line"),
    Event("server.cut", .warning, "answers were cut off when the server stopped"),
    Event("server.draining", .info, "the server takes no new connections and ends"),
    Event("server.not_announced", .error, "the server did not write that it runs", database),
    Event("server.started", .info, "the server answers"),
    Event("server.stopped", .info, "the server has ended"),
    Event("suppressed.not_told", .error, "sums of audit rows that were left out were not written", database),
    Event("tenant.created", .info, "a watched policy file made a tenant"),
    Event(
      "tenant.not_loaded", .error, "the newest policy or keys of a tenant cannot be used; the last good ones serve",
      "`gatehouse doctor`"),
    Event("tenants.not_followed", .error, "changes of tenants and policies were not read", database),
    Event("tls.expires", .warning, "the certificate ends soon", "renew it"),
    Event(
      "traces.not_exported", .error, "the collector of traces took no spans; they wait, and the newest are dropped",
      "see that `traces.endpoint` answers"),
    Event("values.not_moved", .error, "stored values of a renamed field were not moved", database),
    Event("warning.over", .info, "something that went wrong for people is over"),
    Event(
      "webhook.disabled", .warning, "a webhook failed for days and is off",
      "`gatehouse webhook show`, then `gatehouse webhook enable`"),
    Event("webhook.postponed", .warning, "a webhook took no message; it is tried again", "`gatehouse webhook show`"),
    Event(
      "webhooks.broken", .error, "webhooks fail, or were disabled after failures",
      "`gatehouse doctor` names them; `gatehouse webhook test`, `gatehouse webhook enable`"),
    Event("webhooks.not_delivered", .error, "the queue of messages to webhooks was not read", database),
  ]

  /// The text of `docs/log-events.md`.
  static var page: String {
    """
    # Events of the log

    Each line of the log has one of these events. Work that fails again and again for one cause writes one line a minute;
    `repeated` in a line is the number of lines that were kept back since the one before. `gatehouse_failures_total`
    counts each failure.

    | Event | Level | Meaning | What to do |
    |---|---|---|---|

    """
      + all.map { "| `\($0.name)` | \($0.level.rawValue) | \($0.meaning) | \($0.action) |\n" }.joined()
  }
}
