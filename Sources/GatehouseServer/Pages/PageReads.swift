import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The reads of screens: the person, and mailed links. On a server the features behind the pages answer; a preview of
/// the pages has samples in their place, and no store.
struct PageReads: Sendable {
  /// The signed-in person, and what is missing for full access.
  let me: @Sendable (Call) async throws -> MeAnswer
  let sessions: @Sendable (Call) async throws -> [SessionRecord]
  /// Whether the pages can send a browser to a provider that accounts are linked at.
  let leads: @Sendable (Provider, Call) -> Bool
  /// Whether a sign-in at a provider is a fresh proof of an account.
  let proves: @Sendable (StoredUser, Provider, Call) -> Bool
  /// The ways to a fresh proof that open doors of a demand.
  let freshWays: @Sendable (SignedIn, FreshDemand, Call) -> [FreshWay]
  /// The second factors of the signed-in person.
  let factors: @Sendable (Call) async throws -> ListFactorsEndpoint.Output
  /// The options for a passkey that a sign-in waits for, by its challenge; nil where none could answer.
  let passkey: @Sendable (String, Call) async throws -> RequestOptions?
  /// The mailed code of a fresh proof that is awaited; nil where none is.
  let proofCode: @Sendable (SignedIn, Call) async throws -> MailedCode?
  /// The newest code that proves the account's address; nil where none was mailed.
  let addressCode: @Sendable (SignedIn, Call) async throws -> MailedCode?
  /// A mailed link, by its token. Refuses as pressing its button would.
  let link: @Sendable (String, LinkPage, Call) async throws -> OpenLink.Live

  /// As the store has it.
  static func stored(_ services: Services) -> PageReads {
    PageReads(
      me: { try await Me.read(Nothing(), $0, services) },
      sessions: { try await ListSessions.run(Nothing(), $0, services).items },
      leads: { Links.redirect(of: $0, $1, services) != nil },
      proves: { $0.provesItself(at: $1, $2, services) },
      freshWays: { $0.freshWays(for: $1, $2, services) },
      factors: { try await Factors.list(Nothing(), $0, services) },
      passkey: { try await VerifyFactor.passkeyOptions(of: $0, $1, services) },
      proofCode: { me, call in
        let newest = try await ReauthenticationCode.newest(for: me, call, services)
        return newest.flatMap { $0.usedAt == nil ? MailedCode($0, at: call.now) : nil }
      },
      addressCode: { me, call in
        try await EmailVerification.newest(for: me, call, services).map { MailedCode($0, at: call.now) }
      },
      link: { try await OpenLink.look($0, page: $1.rawValue, $2, services) })
  }
}

extension Visit {
  func me() async throws -> MeAnswer { try await reads.me(call) }
}
