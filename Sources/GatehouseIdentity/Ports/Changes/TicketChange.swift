/// Writes of tickets.
package enum TicketChange: Sendable {
  /// A ticket that begins now, by the database's clock. The newest within `Terms.bound` stay.
  case begin(Ticket)
  /// Takes the ticket of a claim, once: `refused(.ticketIsLive)` when there is none, as `TicketStore` says.
  case take(TicketClaim)
}
