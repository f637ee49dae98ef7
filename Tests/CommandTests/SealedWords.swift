import Foundation
import GatehouseAssembly
import GatehousePolicy
import GatehouseAdminWire
import GatehouseWire

@testable import GatehouseIdentity
@testable import GatehousePostgres
@testable import GatehousePrimitives

/// Where the server seals, and what is in it: the bytes that are authenticated with a sealed value, and the JSON of
/// each value.
enum SealedWords {
  /// An id that is the same in every run.
  static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  private static let tenant = TenantID(id(1))
  private static let user = UserID(id(2))
  private static let moment = Date(timeIntervalSince1970: 1_700_000_000)

  private static let destination = Destination(
    ProviderDescription(
      name: "spotify", base: .openIDConnect, issuers: ["https://issuer.example"],
      endpoints: .init(token: "https://token.example/token", jwks: "https://keys.example/keys"), hosts: [],
      clientSecret: .basic))

  /// One of each case. The switch below makes a new case an error of the compiler: it belongs in this list as well.
  private static let sealingContexts: [Vault.SealingContext] = [
    .outbox(id(3)), .refreshSuccessor(hash: [4, 5]), .codePayload(id(6)), .pushToken(SessionID(id(7))),
    .signingKey(kid: "kid"), .unbound(.secret(name: "name")), .keptAnswer(key: [8, 9]), .webhookSecret(id(10)),
    .unbound(.flow(stateHash: [11, 12], provider: "spotify")),
    .unbound(.grant(user, provider: "spotify", version: 13)), .auditKey, .pageFlow(key: [14, 15]),
    .bound(.secret(name: "name"), to: destination),
    .bound(.flow(stateHash: [11, 12], provider: "spotify"), to: destination),
    .bound(.grant(user, provider: "spotify", version: 13), to: destination), .ticket(hash: [16, 17]), .totpSeed(id(18)),
  ]

  private static func isListed(_ context: Vault.SealingContext) -> Bool {
    switch context {
    case .outbox, .refreshSuccessor, .codePayload, .pushToken, .signingKey, .keptAnswer, .webhookSecret, .bound,
      .unbound, .auditKey, .pageFlow, .ticket, .totpSeed:
      true
    }
  }

  /// The bytes of each context.
  static var contexts: [String] {
    let own = sealingContexts.filter(isListed).map { $0.associatedData(tenant) }
    let others = [Vault.wrapping(tenant, version: 14), OperatorCall.associatedData([15, 16])]
    return (own + others).map { visible($0.bytes) }
  }

  /// Bytes with what is not printed as `\00`.
  private static func visible(_ bytes: [UInt8]) -> String {
    bytes.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "\\" + Hex.encode([$0]) }.joined()
  }

  // MARK: Digests

  /// Digests of the same things under the same keys: rows are found, chained and recognised by them.
  static func digests() throws -> [String] {
    let key = try SealingKey(version: 1, key: [UInt8](repeating: 1, count: 32))
    let pepper = try MACKey([UInt8](repeating: 2, count: 32))
    let vault = Vault(tenant: tenant, keys: [Vault.Key(key, createdAt: moment)], clock: Clock { moment })
    let chain = AuditChain(tenant: tenant.uuid)
    let erasable = TrailRow.Erasable(requestID: "request", address: "192.0.2.1", details: Array("{}".utf8))
    let row = TrailRow(
      id: id(3), at: 4, event: "user_created", actor: "anonymous", user: user.uuid, session: id(5), revision: 6,
      erasable: erasable)
    let commitment = chain.commitment(erasable, salt: [7])
    let digests: [(String, [UInt8])] = [
      ("pseudonym", vault.pseudonym(Array("email".utf8), Array("ann@example.com".utf8))),
      ("keyed digest", CodeMint(pepper: pepper).digest("label", [[1], [2, 3]])),
      ("start of an audit chain", chain.start), ("commitment of an audit row", commitment),
      ("link of an audit chain", chain.hash(row, seq: 1, after: chain.start, sealedAt: 8, commitment: commitment)),
    ]
    return digests.map { "\($0): \(Hex.encode($1))" }
  }

  // MARK: Values

  private static func json(_ name: String, _ value: some Encodable) throws -> String {
    "\(name): " + String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
  }

  private static var flow: FlowState {
    var memory = FlowState(redirectURI: "https://auth.example/callback")
    if let verifier = CodeVerifier(rawValue: String(repeating: "v", count: 43)) {
      memory.verifier = verifier
      memory.challenge = verifier.challenge
    }
    memory.nonce = "nonce"
    memory.continueTo = "app://back"
    memory.session = id(4)
    memory.freshSince = 6
    return memory
  }

  private static let order = MessageOrder(
    kind: .verifyEmail, to: .email("ann@example.com"), toName: "Ann", language: "en",
    brand: MessageBrand(
      appName: "App", supportEmail: "help@example.com", primaryColor: "#112233",
      termsURL: "https://example.com/terms", privacyURL: "https://example.com/privacy"),
    link: "https://auth.example/link", code: "123456", linkMinutes: 60, codeMinutes: 10, newEmail: "new@example.com",
    when: "today", device: "phone", place: "Oslo, NO", provider: "Spotify")

  private static func grant() throws -> ProviderExchange.Kept {
    try StrictDecoder.decode(
      ProviderExchange.Kept.self,
      from: Array(
        #"{"accessToken":"a","refreshToken":"r","expiresIn":60,"personHash":"00ff","isRevocable":true}"#.utf8))
  }

  private static func returned() throws -> BrowserSignIn.Returned {
    let user = ProviderUser(
      issuer: "https://issuer.example", subject: "subject", email: "ann@example.com", emailVerified: true,
      claims: ["name": "Ann"])
    return BrowserSignIn.Returned(user: user, isActive: true, scopes: ["email"], grant: try grant())
  }

  private static let passkey = Passkey(
    id: id(8), user: UserID(id(7)), credentialID: [1, 2], rpID: "auth.example.com", publicKey: [3, 4], algorithm: -7,
    signCount: 5, model: [UInt8](repeating: 6, count: 16), isAttested: true, isBackupEligible: true, isBackedUp: true,
    transports: ["internal"], name: "Blue", createdAt: moment)

  /// A sign-in by a provider that waits for a second proof, with both effects.
  private static func pending() throws -> PendingSignIn {
    let identity = FederatedIdentity(
      provider: "google",
      user: ProviderUser(issuer: "https://issuer.example", subject: "subject", emailVerified: true),
      scopes: ["email"], kept: try grant())
    let proof = Proof(method: .provider, factor: id(5), at: moment, isActive: true)
    return PendingSignIn(
      proofs: [proof.stored], asked: ["totp"], client: "app",
      device: Device(name: "phone", id: "device"), isSurprising: true, attestKey: [0x01], ground: id(6),
      provider: .init(name: "google", destination: "00ff"),
      details: ["from": "pages"],
      effects: [
        .link(identity: identity, notice: .providerLinked), .grant(identity: identity, linkedAs: "google"),
      ])
  }

  private static let impact = PolicyImpactOperation.Output(
    revision: 1, instant: Timestamp(moment), total: 2, people: 3, active: 4,
    rules: [
      ImpactRule(
        rule: "rule", line: 5, stage: "warn", passing: 6, failing: 7, newlyFailing: 8, unknown: 9, samples: ["a"])
    ],
    loss: ImpactLoss(people: 10, active: 11, admins: 12, shutOut: 13, samples: ["b"]), keeping: 14, gaining: 15,
    prompted: 16, passwords: ImpactPasswords(complying: 17, breaking: 18, notMeasured: 19))

  private static func grantTokens() throws -> String {
    let vault = Vault(
      tenant: tenant, keys: [Vault.Key(try .random(version: 1), createdAt: moment)], clock: Clock { moment })
    let stored = StoredGrant(
      user: user, provider: "spotify", version: 1, providerUserHash: [], sealedTokens: [], isRevocable: true,
      keptAt: moment, expiresAt: nil)
    let sealed = try stored.holding(
      GrantedTokens(accessToken: Secret("a"), refreshToken: Secret("r")), to: destination, in: vault
    ).sealedTokens
    return try vault.open(sealed, for: .bound(.grant(user, provider: "spotify", version: 1), to: destination))
      .expose { "tokens of a grant: " + String(decoding: $0, as: UTF8.self) }
  }

  private static var proofs: String {
    let second = Proof(method: .provider, factor: id(5), at: moment, isUserVerified: true, isActive: true)
    let proofs = Proofs(
      tenant: tenant, user: user, first: Proof(method: .password, at: moment), [second])
    return "proofs of a session: " + String(decoding: proofs.stored.bytes, as: UTF8.self)
  }

  /// The JSON of one of each value that is stored as such, sealed or not, or that a client holds and sends again.
  static func values() throws -> [String] {
    let profile: [String: FieldValue] = ["name": .string("Ann"), "age": .integer(30), "student": .boolean(true)]
    let cursor = try ImpactCursor(after: user, impact).text(of: "text")
    return [
      try json("memory of a flow", flow), try json("mail", order), try json("grant of a browser", grant()),
      try json("browser's way back", returned()),
      try json("pending sign-in", pending()),
      try json("kept answer", KeptAnswer(status: 201, revision: 2, body: "{}")),
      try json(
        "waiting sign-up", HiddenSignUp.Waiting(email: "ann@example.com", phc: "$argon2id$", profile: profile)),
      try json(
        "waiting sign-up with a passkey",
        HiddenSignUp.Waiting(email: "ann@example.com", profile: profile, passkey: WaitingPasskey(passkey))),
      try json("begun sign-up with a passkey", BegunSignUp(user: id(7))),
      "cursor of an impact: " + String(decoding: Base64URL.decode(cursor) ?? [], as: UTF8.self),
      try grantTokens(), proofs,
    ]
  }
}
