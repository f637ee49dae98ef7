// A sign-in that waits for a second proof. Its first proof is settled in one commit; everything else is kept as data in
// a ticket, and judged anew when the second proof comes.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The part of a sign-in that waits, as it is sealed. It holds no password and no hash of one.
struct PendingSignIn: Codable {
  /// The proofs so far, oldest first, as `Proof.stored`.
  var proofs: [JSONValue]
  /// The methods of which one is asked for.
  var asked: [String]
  /// The client of the session.
  var client: String
  /// The device as its client knows it.
  var device: Device
  /// Whether the owner is told of the device.
  var isSurprising: Bool
  /// The key of the attested app that the first request came from, where sign-ins demand one.
  var attestKey: [UInt8]?
  /// The session that the sign-in rests on, which has to live at the end as well.
  var ground: UUID?
  /// The provider that vouched for the user.
  var provider: Origin?
  /// The details of the audit row of the sign-in.
  var details: [String: String]
  var effects: [SignInEffect]

  /// A provider, by the policy's name, and where it was (`Destination`): what it gave goes nowhere else.
  struct Origin: Codable {
    var name: String
    var destination: String
  }
}

extension PendingSignIn {
  fileprivate init(
    _ completion: Completion, asking methods: [Proof.Method], for client: SessionClient, _ call: Call,
    _ services: Services
  ) throws {
    proofs = completion.proofs.all.map(\.stored)
    asked = methods.map(\.name)
    self.client = client.name
    let device = completion.device
    self.device = Device(name: device.device.name, id: device.isKnown ? device.token : nil)
    isSurprising = device.isSurprising
    // A sign-in by a provider is attested where sign-ups alone are: the second request is not, then.
    attestKey = call.policy.demandsAttestation(at: .signIn) ? call.attestKey : nil
    if case .caller(let caller, _) = completion.authority { ground = caller.session.id.uuid }
    provider = try completion.provider.map { name in
      let destination = try call.tenant.destination(of: call.policy.signInProvider(name), services)
      return Origin(name: name, destination: Hex.encode(destination.digest))
    }
    details = completion.details
    effects = completion.effects
  }

  /// The proofs so far, of this account. Refuses `code_expired` where there is none.
  fileprivate func proofs(of user: UserID, _ call: Call) throws -> Proofs {
    let proofs = proofs.compactMap(Proof.init(stored:))
    guard let first = proofs.first else { throw Refusal(.codeExpired) }
    return Proofs(tenant: call.tenant.id, user: user, first: first, Array(proofs.dropFirst()))
  }
}

extension PendingSignIn {
  fileprivate func device(of user: StoredUser, _ call: Call, _ services: Services) async throws -> PresentedDevice {
    guard device.id == nil else { return try await .recognise(device, of: user, call, services) }
    return .new(name: device.name, of: user.id, isSurprising: isSurprising, call, services)
  }

  /// The authority of the commit: that of the session that the sign-in rests on, else that of its proofs. Refuses
  /// `code_expired` where that session is gone.
  fileprivate func authority(
    of user: StoredUser, epoch: Int64, _ call: Call, _ services: Services
  ) async throws -> Authority {
    guard let ground else { return .proven(user.id, epoch: epoch) }
    guard let found = try await services.store.open(call.tenant.id).session(id: SessionID(ground)),
      found.user.id == user.id
    else { throw Refusal(.codeExpired) }
    return SignedIn(session: found.session, user: found.user).proven
  }
}

/// A pending sign-in after one try was counted.
struct TriedSignIn {
  /// The account whose second proof is asked for.
  let user: UserID
  fileprivate let claim: TicketClaim
  fileprivate let epoch: Int64
  fileprivate let pending: PendingSignIn
  /// The counts of the try. A right proof returns them.
  fileprivate let counted: Counted

  /// The number of the try, from 1.
  let number: Int

  /// The hash of the challenge.
  var hash: [UInt8] { claim.hash }

  /// The methods of which one is asked for.
  var asked: [Proof.Method] { pending.asked.map(Proof.Method.init(name:)) }

  /// The pending sign-in with this id of a challenge. A try is counted before the second proof is verified. Refuses
  /// `code_expired` for one that is unknown, over, taken, another holder's or out of tries, and for one whose account
  /// has changed; `rate_limited` where too many tries of the account failed, for any challenge.
  static func find(_ id: String, _ call: Call, _ services: Services) async throws -> TriedSignIn {
    let purpose = Ticket.Purpose.secondFactor
    guard let claim = TicketClaim(id, purpose, call) else { throw Refusal(.codeExpired) }
    let store = services.store.open(call.tenant.id)
    guard let ticket = try await store.ticket(claim), ticket.attempts < purpose.terms.tries ?? .max,
      let user = ticket.user, let epoch = ticket.epoch, let sealed = ticket.sealedPayload
    else {
      await call.noteRefused(token: "challenge", services)
      throw Refusal(.codeExpired)
    }
    // Before the try of the challenge: a refused one uses up none.
    // GUARD: second proof: tries of an account
    let counted = try await Limiting.reserve(.secondProof(user), call, services)
    guard let tried = try await store.reserveTry(claim) else { throw Refusal(.codeExpired) }
    let pending = try call.tenant.vault.open(sealed, for: .ticket(hash: claim.hash)).expose {
      try StrictDecoder.decode(PendingSignIn.self, from: $0)
    }
    return TriedSignIn(
      user: user, claim: claim, epoch: epoch, pending: pending, counted: counted, number: tried.attempts)
  }
}

extension Completion {
  /// Keeps the sign-in until one of these methods proves the account's owner. The writes of the first proof are made,
  /// in the same commit. The refusal has the challenge.
  func suspended(
    asking methods: [Proof.Method], for client: SessionClient, _ call: Call, _ services: Services
  ) async throws -> Refusal {
    let terms = Ticket.Purpose.secondFactor.terms
    let token = OpaqueToken.generate(terms.token)
    let pending = try PendingSignIn(self, asking: methods, for: client, call, services)
    let ticket = Ticket(
      hash: token.digest, purpose: .secondFactor, user: user.id, client: call.client.id, holderHash: call.browser,
      epoch: user.epoch,
      sealedPayload: try call.tenant.vault.seal(try JSONEncoding.encode(pending), for: .ticket(hash: token.digest)))
    // The ticket rests on the account as it was looked at.
    let grounds: Authority =
      if case .caller(let caller, _) = authority { caller.proven } else { .proven(user.id, epoch: user.epoch) }
    try await services.store.open(call.tenant.id).commit(
      beforeSession + [
        .ticket(.begin(ticket)),
        .audit(
          call.entry(
            .secondProofRequired, services, actor: .user(user.id), user: user.id,
            details: details.merging(["method": proofs.newest.method.reference]) { own, _ in own })),
      ] + afterSession, as: grounds)
    var refusal = Refusal(.mfaRequired)
    refusal.challenge = Refusal.Challenge(
      id: token.text.expose { $0 }, expiresIn: terms.seconds, factors: methods.map(\.name),
      rememberSeconds: call.policy.mfa.map { Int($0.rememberDevice) }.flatMap { $0 > 0 ? $0 : nil })
    if methods.contains(.passkey) {
      refusal.passkey = try await PasskeyCeremony.request(
        of: user.id, after: 0, ticket: token.digest, .secondFactor, call, services)
    }
    return refusal
  }

  /// Ends a pending sign-in by a second proof, in one commit with the `changes` that use the proof up. The account, the
  /// doors of the policy and the effects that waited are judged as they are now.
  ///
  /// Refuses `forbidden` for a proof of another account or another method than the ones asked for, `code_expired` where
  /// the account has changed or another request was faster, `provider_account_taken` where the identity that waited is
  /// another account's by now, and the refusals of the doors.
  static func resume<Opened: OpenedSession>(
    _ tried: TriedSignIn, with fresh: Proofs, using changes: [Change], remembering: Bool = false, _ call: Call,
    _ services: Services
  ) async throws -> Opened {
    let pending = tried.pending
    guard
      tried.asked.contains(fresh.newest.method),  // GUARD: second proof: by a method that was asked for
      pending.client == Opened.client(call).name,  // GUARD: second proof: for the client that began
      // GUARD: second proof: from the attested app that began
      pending.attestKey == nil || pending.attestKey == call.attestKey
    else { throw Refusal(.forbidden) }
    let first = try pending.proofs(of: tried.user, call)
    let proofs = try first.joined(by: fresh)
    if first.all.contains(where: { $0.method == .password }) {
      // GUARD: password door: second proof
      try call.policy.demandPassword()
    }
    if let origin = pending.provider {
      let destination = try call.tenant.destination(of: call.policy.signInProvider(origin.name), services)
      // GUARD: second proof: the provider is where it was
      guard destination.all.contains(where: { Hex.encode($0.digest) == origin.destination }) else {
        throw Refusal(.codeExpired, note: "the provider is elsewhere by now")
      }
    }
    guard let account = try await services.store.open(call.tenant.id).user(id: tried.user) else {
      throw Refusal(.codeExpired)
    }
    let user = pending.effects.reduce(account) { $1.applied(to: $0, at: call.now) }
    var details = pending.details
    details["method"] = first.newest.method.reference
    details["second"] = fresh.newest.method.name
    let device = try await pending.device(of: user, call, services)
    let remembered =
      remembering && (call.policy.mfa?.rememberDevice ?? 0) > 0
      ? [
        Change.factor(.trust(device: device.device.id, of: user.id)),
        .audit(call.entry(.deviceRemembered, services, actor: .user(user.id), user: user.id)),
      ] : []
    do {
      let completion = Completion(
        account: .known, proofs: proofs, user: user,
        decision: call.policy.decide(
          .signIn, Facts(writer: .user, stored: user.facts), at: call.now, using: services.facts),
        device: device, provider: pending.provider?.name, details: details,
        authority: try await pending.authority(of: user, epoch: tried.epoch, call, services),
        // GUARD: second proof: once
        beforeSession: [.ticket(.take(tried.claim))] + changes,
        // Counters come last, as nothing that holds one waits for an account.
        afterSession: remembered + [.limit(.giveBack(tried.counted))],
        effects: pending.effects)
      return try await completion.open(call, services)
    } catch StoreError.refused(.identityIsFree) {
      throw Refusal(.providerAccountTaken)
    } catch StoreError.refused(.factorIsUnused) {
      throw Refusal(.codeInvalid)
    } catch StoreError.refused(let condition) {
      throw Refusal(.codeExpired, note: condition.rawValue)
    }
  }
}
