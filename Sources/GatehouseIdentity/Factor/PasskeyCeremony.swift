import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The ceremonies of WebAuthn for a tenant's relying party: the options that a client gets, and the challenges in them.
struct PasskeyCeremony {
  let party: RelyingParty
  private let tenant: TenantSnapshot

  /// Refuses `passkeys_unavailable` for a tenant without a relying party.
  init(_ call: Call) throws {
    guard let party = call.tenant.relyingParty else {
      throw Refusal(
        .passkeysUnavailable,
        detail: "The tenant has no host of its own that its passkeys could be for (gatehouse host add).")
    }
    self.party = party
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

  /// The options for a new passkey beside those that the account has, for the only try of a ticket.
  func creation(of user: StoredUser, beside passkeys: [Passkey], ticket hash: [UInt8]) -> CreationOptions {
    let name = user.reference
    return CreationOptions(
      rpID: party.id, rpName: tenant.policy.app.name, userID: handle(of: user.id), userName: name, displayName: name,
      challenge: challenge(ofTry: 1, ticket: hash), algorithms: PasskeyAlgorithm.allCases.map { Int64($0.rawValue) },
      timeout: Int64(Ticket.Purpose.addPasskey.terms.seconds) * 1000, excluded: named(passkeys),
      verification: rules.verification.rawValue, attestation: rules.attestation.rawValue)
  }

  /// The options for a use of one of these passkeys; of none, the person chooses.
  func request(of passkeys: [Passkey], try number: Int, ticket hash: [UInt8], _ purpose: Ticket.Purpose)
    -> RequestOptions
  {
    RequestOptions(
      rpID: party.id, challenge: challenge(ofTry: number, ticket: hash), timeout: Int64(purpose.terms.seconds) * 1000,
      allowed: named(passkeys), verification: rules.verification.rawValue)
  }

  private func named(_ passkeys: [Passkey]) -> [NamedPasskey] {
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
