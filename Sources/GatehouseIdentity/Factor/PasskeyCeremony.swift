import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The ceremonies of WebAuthn for a tenant's relying party: the options that a client gets, and the challenges in them.
struct PasskeyCeremony {
  let party: RelyingParty
  /// The party before it, as long as its passkeys prove.
  let former: RelyingParty?
  private let tenant: TenantSnapshot

  /// Refuses `passkeys_unavailable` for a tenant without a relying party.
  init(_ call: Call) throws {
    guard let party = call.tenant.relyingParty else {
      throw Refusal(
        .passkeysUnavailable,
        detail: "The tenant has no host of its own that its passkeys could be for (gatehouse host add).")
    }
    self.party = party
    former = call.tenant.formerParty(at: call.now)
    tenant = call.tenant
  }

  /// The rules of the policy; a silent one where the section is gone, for the passkeys that are there still.
  var rules: Passkeys { tenant.policy.passkeys ?? Passkeys(use: [], verification: .preferred) }

  /// The WebAuthn challenge of a ticket's try: 32 bytes, which cannot be told without the tenant's key. Each try has
  /// another one, and is counted before its answer is looked at.
  func challenge(ofTry number: Int, ticket hash: [UInt8]) -> [UInt8] {
    tenant.vault.pseudonym(Array("passkey challenge".utf8), hash, Array(String(number).utf8))
  }

  /// The `user.id` of an account's passkeys: 32 bytes that tell nothing of the account.
  func handle(of user: UserID) -> [UInt8] { tenant.vault.pseudonym(Array("passkey user".utf8), user.uuid.bytes) }

  /// The party of a passkey; nil where passkeys of it prove nothing any more.
  func party(of passkey: Passkey) -> RelyingParty? {
    [party, former].compactMap(\.self).first { $0.id.utf8.elementsEqual(passkey.rpID.utf8) }
  }

  /// The options for a new passkey of this account, which has these. The challenge is that of the first try of the
  /// ticket.
  func creation(
    of user: UserID, named name: String, beside passkeys: [Passkey] = [], ticket hash: [UInt8],
    _ purpose: Ticket.Purpose
  ) -> CreationOptions {
    CreationOptions(
      rpID: party.id, rpName: tenant.policy.app.name, userID: handle(of: user), userName: name, displayName: name,
      challenge: challenge(ofTry: 1, ticket: hash), algorithms: PasskeyAlgorithm.allCases.map { Int64($0.rawValue) },
      timeout: Int64(purpose.terms.seconds) * 1000, excluded: named(passkeys, of: party),
      verification: rules.verification.rawValue, attestation: rules.attestation.rawValue)
  }

  /// The options for a use of one of these passkeys; of none, the person chooses. An account that has none of today's
  /// party answers by those of the one before.
  func request(of passkeys: [Passkey], try number: Int, ticket hash: [UInt8], _ purpose: Ticket.Purpose)
    -> RequestOptions
  {
    let own = named(passkeys, of: party)
    let old = former.map { named(passkeys, of: $0) } ?? []
    guard own.isEmpty, !old.isEmpty, let former else {
      return request(at: party, of: own, try: number, ticket: hash, purpose)
    }
    return request(at: former, of: old, try: number, ticket: hash, purpose)
  }

  /// The options for any passkey of the party before today's; nil where those prove nothing.
  func formerRequest(try number: Int, ticket hash: [UInt8], _ purpose: Ticket.Purpose) -> RequestOptions? {
    former.map { request(at: $0, of: [], try: number, ticket: hash, purpose) }
  }

  private func request(
    at party: RelyingParty, of allowed: [NamedPasskey], try number: Int, ticket hash: [UInt8],
    _ purpose: Ticket.Purpose
  ) -> RequestOptions {
    RequestOptions(
      rpID: party.id, challenge: challenge(ofTry: number, ticket: hash), timeout: Int64(purpose.terms.seconds) * 1000,
      allowed: allowed, verification: rules.verification.rawValue)
  }

  func named(_ passkeys: [Passkey], of party: RelyingParty) -> [NamedPasskey] {
    passkeys.filter { $0.rpID.utf8.elementsEqual(party.id.utf8) }
      .map { NamedPasskey(id: $0.credentialID, transports: $0.transports) }
  }
}

extension PasskeyCeremony {
  /// The options for the next try at a ticket of an account; nil where it has no passkey that could answer here, and
  /// where the ticket has no try left.
  static func request(
    of user: UserID, after tries: Int, ticket hash: [UInt8], _ purpose: Ticket.Purpose, _ call: Call,
    _ services: Services
  ) async throws -> RequestOptions? {
    guard tries < purpose.terms.tries ?? .max, let ceremony = try? PasskeyCeremony(call) else { return nil }
    let passkeys = try await services.store.open(call.tenant.id).factors(of: user).passkeys
    let options = ceremony.request(of: passkeys, try: tries + 1, ticket: hash, purpose)
    return options.allowed.isEmpty ? nil : options
  }
}
