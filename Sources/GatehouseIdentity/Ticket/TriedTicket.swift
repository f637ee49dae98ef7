import GatehousePrimitives
import GatehouseWire

/// A ticket after one try at it was counted, which is before the answer of that try is looked at.
struct TriedTicket {
  let claim: TicketClaim
  let ticket: Ticket

  var hash: [UInt8] { claim.hash }
  /// The number of the try, from 1.
  var number: Int { ticket.attempts }

  /// The ticket of this token, for a session, or for the browser of the call. Refuses `code_expired` for a token of
  /// another kind, and for a ticket that is unknown, over, taken, another holder's or out of tries.
  static func find(
    _ token: String, _ purpose: Ticket.Purpose, of session: SessionID? = nil, _ call: Call, _ services: Services
  ) async throws -> TriedTicket {
    guard let claim = TicketClaim(token, purpose, of: session, call) else { throw Refusal(.codeExpired) }
    guard let ticket = try await services.store.open(call.tenant.id).reserveTry(claim) else {
      await call.noteRefused(token: purpose == .addTOTP ? "enrolment" : "challenge", services)
      throw Refusal(.codeExpired)
    }
    return TriedTicket(claim: claim, ticket: ticket)
  }
}

extension TicketClaim {
  /// The claim of a caller who presents this token: of a session, or else of the browser of the call. Nil for a token
  /// of another kind.
  init?(_ token: String, _ purpose: Ticket.Purpose, of session: SessionID? = nil, _ call: Call) {
    guard let hash = OpaqueToken.digest(of: token, kind: purpose.terms.token) else { return nil }
    self.init(
      hash: hash, purpose: purpose, session: session, client: call.client.id,
      holderHash: session == nil ? call.browser : nil)
  }
}

extension Ticket {
  /// A ticket of a signed-in caller, which rests on the account as it is.
  init(_ token: OpaqueToken, _ purpose: Purpose, of me: SignedIn, _ call: Call) {
    self.init(
      hash: token.digest, purpose: purpose, user: me.user.id, session: me.session.id, client: call.client.id,
      epoch: me.user.epoch)
  }
}
