/// Tickets. A claim finds its ticket where every value is the ticket's, the ticket was not taken, its time is not over
/// by the database's clock, and the account has the epoch that the ticket rests on, if it rests on one.
package protocol TicketStore: Sendable {
  /// Takes the ticket of a claim, for work that comes behind it. It MUST be one statement: of several takers one gets
  /// the ticket, and it is taken before the answer is given. Nil, and nothing is taken, when there is none.
  /// (`TicketChange.take` takes one in the commit of its effect.)
  func take(_ claim: TicketClaim) async throws -> Ticket?

  /// The ticket that `take` would take now.
  func ticket(_ claim: TicketClaim) async throws -> Ticket?

  /// Counts one more try, in one statement, and gives the ticket. The count is committed before the answer is given.
  /// Nil, and nothing is counted, when there is no ticket, or its tries are used up.
  func reserveTry(_ claim: TicketClaim) async throws -> Ticket?

  /// The session that a ticket belongs to, with its account, whether or not the ticket can be taken still.
  func session(ofTicket hash: [UInt8], for purpose: Ticket.Purpose) async throws
    -> (session: Session, user: StoredUser)?
}
