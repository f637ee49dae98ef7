// An authenticator app becomes a factor of an account: its seed is shown once, and a first code confirms it.

import Foundation
import GatehousePolicy
package import GatehousePrimitives
package import GatehouseWire

/// The seed that waits for its first code, as it is sealed.
private struct PendingApp: Codable {
  var seed: [UInt8]
  var name: String?
}

package enum StartTOTP {
  /// Makes a seed. Nothing is enrolled until `ConfirmTOTP`. Refuses `not_found` where the policy has no such factor,
  /// `reauthentication_required`, `conflict` beyond `AuthenticatorApp.perUser`.
  package static func run(_ input: StartTOTPEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> StartTOTPEndpoint.Output
  {
    let me = try await call.signedIn(services)
    try call.demandFactor(.totp)
    // GUARD: factor: added by a fresh proof
    try me.demandFreshProof(for: .factors, call, services)
    let store = services.store.open(call.tenant.id)
    guard try await store.factors(of: me.user.id).apps.count < AuthenticatorApp.perUser else {
      throw Enrolment.full(AuthenticatorApp.perUser)
    }
    let seed = TOTP.makeSeed()
    let terms = Ticket.Purpose.addTOTP.terms
    let token = OpaqueToken.generate(terms.token)
    let pending = PendingApp(seed: seed.expose { $0 }, name: FactorName.stored(input.name))
    var ticket = Ticket(token, .addTOTP, of: me, call)
    ticket.sealedPayload = try call.tenant.vault.seal(
      try JSONEncoding.encode(pending), for: .ticket(hash: token.digest))
    try await store.commit([.ticket(.begin(ticket))], as: me.proven)
    let address = AuthenticatorAddress(app: call.policy.app.name, email: me.user.reference, seed: seed)
    let uri = address.text.expose { $0 }
    return StartTOTPEndpoint.Output(
      enrolmentID: token.text.expose { $0 }, secret: seed.expose { Base32.encode($0) }, uri: uri,
      qrSVG: try QRCode.svg(of: uri), expiresIn: terms.seconds)
  }
}

package enum ConfirmTOTP {
  /// Enrols the app whose first code this is. The code is a proof: the session rises to its level, under another id.
  /// Refuses `code_invalid` for a wrong code, `code_expired` for an enrolment that is unknown, over, used, another
  /// session's or out of tries.
  package static func run(_ input: ConfirmTOTPEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ConfirmTOTPEndpoint.Output
  {
    let (app, codes, joined) = try await enrol(input, call, services)
    return ConfirmTOTPEndpoint.Output(
      factor: FactorRecord(app), recoveryCodes: codes.map { $0.map(\.shown) },
      session: try joined.answer(call, services))
  }

  /// The same, for any client.
  package static func enrol(
    _ input: ConfirmTOTPEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> (app: AuthenticatorApp, codes: [RecoveryCode]?, session: JoinedSession) {
    let me = try await call.signedIn(services)
    try call.demandFactor(.totp)
    let tried = try await TriedTicket.find(input.enrolmentID, .addTOTP, of: me.session.id, call, services)
    guard let sealed = tried.ticket.sealedPayload else { throw Refusal(.codeExpired) }
    let pending = try call.tenant.vault.open(sealed, for: .ticket(hash: tried.hash)).expose {
      try StrictDecoder.decode(PendingApp.self, from: $0)
    }
    guard let step = TOTP.matchingStep(input.code, seed: Secret(pending.seed), at: call.now) else {
      throw Refusal(.codeInvalid)
    }
    let id = services.clock.makeID()
    let app = AuthenticatorApp(
      id: id, user: me.user.id, sealedSeed: try call.tenant.vault.seal(pending.seed, for: .totpSeed(id)),
      name: pending.name, lastStep: step, createdAt: call.now, lastUsedAt: call.now)
    // GUARD: factor: enrolled once
    let adding: [Change] = [.ticket(.take(tried.claim)), .factor(.add(app))]
    let (codes, joined) = try await Enrolment(method: .totp, factor: id, adding: adding)
      .commit(AuthenticatorApp.perUser, of: me, call, services)
    return (app, codes, joined)
  }
}
