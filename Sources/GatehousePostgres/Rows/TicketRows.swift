import GatehouseIdentity

/// Statements and rows of tickets.
enum TicketRows {
  static func statements(of change: TicketChange) -> [SQL] {
    switch change {
    case .begin(let ticket): begin(ticket)
    case .take(let claim): [.requiring(.ticketIsLive, take(claim, returning: "1"))]
    }
  }

  private static func begin(_ ticket: Ticket) -> [SQL] {
    let terms = ticket.purpose.terms
    let insert: SQL = """
      INSERT INTO ticket (hash, purpose, provider, account_id, session_id, client_id, holder_hash, epoch, attempts,
        sealed_payload, created_at, expires_at)
      VALUES (\(ticket.hash), \(ticket.purpose.rawValue), \(ticket.provider), \(ticket.user?.uuid),
        \(ticket.session?.uuid), \(ticket.client), \(ticket.holderHash), \(ticket.epoch), \(ticket.attempts),
        \(ticket.sealedPayload), gatehouse.now(), gatehouse.now() + make_interval(secs => \(Double(terms.seconds))))
      """
    let (others, keeping): (SQL, Int)
    switch terms.bound {
    case .perSession(let most): (others, keeping) = ("session_id = \(ticket.session?.uuid)", most)
    case .perAccount(let most): (others, keeping) = ("account_id = \(ticket.user?.uuid)", most)
    case nil: return [insert]
    }
    return [
      insert,
      """
      DELETE FROM ticket WHERE hash = ANY (ARRAY(
        SELECT hash FROM ticket WHERE \(others) AND purpose = \(ticket.purpose.rawValue) AND hash <> \(ticket.hash)
        ORDER BY created_at DESC OFFSET /* GUARD: ticket: so many beside one another */ \(keeping - 1)))
      """,
    ]
  }

  /// The conditions on a ticket that a claim finds.
  private static func fits(_ claim: TicketClaim) -> SQL {
    """
    hash = \(claim.hash)
      AND /* GUARD: ticket: purpose */ purpose = \(claim.purpose.rawValue)
      AND /* GUARD: ticket: provider */ provider IS NOT DISTINCT FROM \(claim.provider)::text
      AND /* GUARD: ticket: session */ session_id IS NOT DISTINCT FROM \(claim.session?.uuid)::uuid
      AND /* GUARD: ticket: client */ client_id IS NOT DISTINCT FROM \(claim.client)::text
      AND /* GUARD: ticket: holder */ holder_hash IS NOT DISTINCT FROM \(claim.holderHash)::bytea
      AND /* GUARD: ticket: time */ expires_at > gatehouse.now()
      AND /* GUARD: ticket: marked once */ spent_at IS NULL
      AND /* GUARD: ticket: epoch */ (epoch IS NULL
        OR epoch = (SELECT account.epoch FROM account WHERE account.id = ticket.account_id))
    """
  }

  /// The columns that a claim does not give.
  private static let columns: SQL = "account_id, epoch, attempts, sealed_payload"

  private static func take(_ claim: TicketClaim, returning columns: SQL) -> SQL {
    switch claim.purpose.terms.taking {
    case .deletes:
      // GUARD: ticket: deleted once
      let taking: SQL = "DELETE FROM ticket WHERE \(fits(claim)) RETURNING \(columns)"
      return taking
    // The end of its time becomes the end of its memory.
    case .marks(let remembered):
      return """
        UPDATE ticket SET spent_at = gatehouse.now(),
          expires_at = gatehouse.now() + make_interval(secs => \(Double(remembered)))
        WHERE \(fits(claim)) RETURNING \(columns)
        """
    }
  }

  static func take(_ claim: TicketClaim) -> SQL { take(claim, returning: columns) }

  static func find(_ claim: TicketClaim) -> SQL { "SELECT \(columns) FROM ticket WHERE \(fits(claim))" }

  static func reserveTry(_ claim: TicketClaim) -> SQL {
    """
    UPDATE ticket SET attempts = attempts + 1 WHERE \(fits(claim))
      AND /* GUARD: ticket: tries */ attempts < coalesce(\(claim.purpose.terms.tries)::integer, attempts + 1)
    RETURNING \(columns)
    """
  }
}

extension Ticket {
  /// From `TicketRows.columns`, with what the claim says.
  fileprivate init(_ columns: inout RowReader, of claim: TicketClaim) throws {
    self.init(
      hash: claim.hash, purpose: claim.purpose, provider: claim.provider, user: try columns.next(),
      session: claim.session, client: claim.client, holderHash: claim.holderHash, epoch: try columns.next(),
      attempts: try columns.next(), sealedPayload: try columns.next())
  }
}

extension PostgresTenantStore {
  func take(_ claim: TicketClaim) async throws -> Ticket? {
    try await write([TicketRows.take(claim)])[0].single { try Ticket(&$0, of: claim) }
  }

  func ticket(_ claim: TicketClaim) async throws -> Ticket? {
    try await read(TicketRows.find(claim)).single { try Ticket(&$0, of: claim) }
  }

  func reserveTry(_ claim: TicketClaim) async throws -> Ticket? {
    try await write([TicketRows.reserveTry(claim)])[0].single { try Ticket(&$0, of: claim) }
  }

  func session(ofTicket hash: [UInt8], for purpose: Ticket.Purpose) async throws
    -> (session: Session, user: StoredUser)?
  {
    try await read(
      """
      SELECT \(SessionRows.columns), \(UserRows.columns) FROM ticket
      JOIN session ON session.id = ticket.session_id JOIN account ON account.id = session.account_id
      WHERE ticket.hash = \(hash) AND ticket.purpose = \(purpose.rawValue)
      """
    ).single { columns in
      (session: try Session(&columns, of: tenant), user: try StoredUser(&columns))
    }
  }
}
