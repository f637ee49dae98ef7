import Foundation
import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Tickets")
struct TicketRowsTests {
  typealias Purpose = Ticket.Purpose

  /// A person with a session, whose account has an epoch of its own.
  private func signIn(_ ground: StoreFixture) async throws -> (user: StoredUser, session: Session) {
    let user = sampleUser(1, ground.now)
    let browser = session(10, of: user, ground.now)
    try await ground.store.commit([
      .user(.insert(user, unique: [])), .user(.setPassword(user.id, phc: "x")),
      .session(.insert(browser, by: .refreshToken(token(1, of: browser, ground.now)), keeping: 5)),
    ])
    return (try #require(try await ground.store.user(id: user.id)), browser)
  }

  /// A ticket with a value of each kind.
  private func ticket(_ seed: UInt8, _ purpose: Purpose, _ user: StoredUser, _ session: Session) -> Ticket {
    Ticket(
      hash: hash(seed), purpose: purpose, provider: "google", user: user.id, session: session.id, client: "first",
      holderHash: hash(100), epoch: user.epoch, sealedPayload: [1, 2])
  }

  private func number(_ ground: StoreFixture, _ statement: SQL) async throws -> Int {
    try await ground.everything(statement)[0][0]
  }

  private static let all: SQL = "SELECT count(*) FROM gatehouse.ticket"

  // MARK: The table of purposes

  struct Row: Sendable, CustomTestStringConvertible {
    let purpose: Purpose
    let prefix: String
    let seconds: Int
    let taking: Ticket.Taking
    var bound: Ticket.Bound?
    var tries: Int?
    var testDescription: String { purpose.rawValue }
  }

  static let rows = [
    Row(purpose: .providerSignIn, prefix: "gh_ls_", seconds: 600, taking: .deletes),
    Row(purpose: .providerLink, prefix: "gh_ls_", seconds: 600, taking: .deletes),
    Row(purpose: .browserSignInCode, prefix: "gh_ac_", seconds: 60, taking: .deletes),
    Row(purpose: .authorizationCode, prefix: "gh_hb_", seconds: 60, taking: .deletes, bound: .perSession(5)),
    Row(
      purpose: .secondFactor, prefix: "gh_fl_", seconds: 300, taking: .marks(remembered: 300), bound: .perAccount(5),
      tries: 5),
    Row(
      purpose: .addTOTP, prefix: "gh_fl_", seconds: 600, taking: .deletes, bound: .perSession(1), tries: 10),
    Row(purpose: .addPasskey, prefix: "gh_fl_", seconds: 600, taking: .deletes, bound: .perSession(1), tries: 1),
    Row(purpose: .passkeySignIn, prefix: "gh_fl_", seconds: 300, taking: .deletes, tries: 5),
    Row(purpose: .passkeySignUp, prefix: "gh_fl_", seconds: 600, taking: .deletes, tries: 5),
    Row(purpose: .reauthenticate, prefix: "gh_fl_", seconds: 300, taking: .deletes, bound: .perSession(1), tries: 5),
  ]

  @Test("each purpose has its row")
  func listed() {
    #expect(Self.rows.map(\.purpose) == Purpose.allCases)
  }

  @Test("a purpose has these terms", arguments: rows)
  func terms(_ row: Row) {
    let terms = row.purpose.terms
    #expect(terms.token.prefix == row.prefix)
    #expect(terms.seconds == row.seconds)
    #expect(terms.taking == row.taking)
    #expect(terms.bound == row.bound)
    #expect(terms.tries == row.tries)
  }

  @Test("a ticket is found until its time is over, and goes then", arguments: rows)
  func lives(_ row: Row) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, row.purpose, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      ground.clock.advance(seconds: TimeInterval(row.seconds - 1))
      let sweep = PostgresExpirySweep(ground.jobs)
      #expect(try await sweep.prune(batch: 10)["tickets"] == 0)
      #expect(try await ground.store.ticket(claim(begun)) == begun)
      ground.clock.advance(seconds: 1)
      #expect(try await ground.store.ticket(claim(begun)) == nil)
      #expect(try await ground.store.take(claim(begun)) == nil)
      #expect(try await ground.store.reserveTry(claim(begun)) == nil)
      #expect(
        await refusal { try await ground.store.commit([.ticket(.take(claim(begun)))]) } == .refused(.ticketIsLive))
      #expect(try await sweep.prune(batch: 10)["tickets"] == 1)
      #expect(try await sweep.prune(batch: 10)["tickets"] == 0)
    }
  }

  @Test("a ticket that is taken goes, or is marked and remembered for its time", arguments: rows)
  func remembered(_ row: Row) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, row.purpose, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      #expect(try await ground.store.take(claim(begun)) == begun)
      #expect(try await ground.store.ticket(claim(begun)) == nil)
      let spent: SQL = "SELECT count(*) FROM gatehouse.ticket WHERE spent_at IS NOT NULL"
      guard case .marks(let seconds) = row.taking else {
        #expect(try await number(ground, Self.all) == 0)
        return
      }
      #expect(try await number(ground, spent) == 1)
      ground.clock.advance(seconds: TimeInterval(seconds - 1))
      let sweep = PostgresExpirySweep(ground.jobs)
      #expect(try await sweep.prune(batch: 10)["tickets"] == 0)
      #expect(try await ground.store.reserveTry(claim(begun)) == nil)
      ground.clock.advance(seconds: 1)
      #expect(try await sweep.prune(batch: 10)["tickets"] == 1)
    }
  }

  @Test("of one session the newest are kept, where a purpose says how many, so that no browser fills the table")
  func bounded() async throws {
    try await withStore { ground async throws in
      let (user, browser) = try await signIn(ground)
      let other = session(11, of: user, ground.now)
      try await ground.store.commit([
        .ticket(.begin(ticket(100, .authorizationCode, user, other))),
        .ticket(.begin(ticket(101, .browserSignInCode, user, browser))),
      ])
      let keeping = 5
      for seed in 2..<UInt8(2 + keeping + 3) {
        try await ground.store.commit([.ticket(.begin(ticket(seed, .authorizationCode, user, browser)))])
        ground.clock.advance(seconds: 1)
      }
      let mine: SQL = """
        SELECT count(*) FROM gatehouse.ticket WHERE session_id = \(browser.id.uuid) AND purpose = 'authorization_code'
        """
      #expect(try await number(ground, mine) == keeping)
      #expect(try await number(ground, Self.all) == keeping + 2)
      let newest = hash(UInt8(2 + keeping + 2))
      #expect(try await ground.store.session(ofTicket: newest, for: .authorizationCode) != nil)
      #expect(try await ground.store.session(ofTicket: hash(2), for: .authorizationCode) == nil)
    }
  }

  @Test("of tickets that begin within one moment the newest stays")
  func moment() async throws {
    try await withStore { ground async throws in
      let (user, browser) = try await signIn(ground)
      for seed in 2..<UInt8(12) {
        try await ground.store.commit([.ticket(.begin(ticket(seed, .authorizationCode, user, browser)))])
        let newest = try await ground.store.session(ofTicket: hash(seed), for: .authorizationCode)
        #expect(newest != nil)
      }
    }
  }

  // MARK: Once

  @Test("T100 of fifty who take a ticket at the same moment one gets it", arguments: Purpose.allCases)
  func once(_ purpose: Purpose) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, purpose, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      let store = ground.store
      let taken = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<50 { group.addTask { (try? await store.take(claim(begun))) != nil } }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(taken == 1)
    }
  }

  @Test("T100 of fifty commits that take a ticket at the same moment one is made", arguments: Purpose.allCases)
  func committedOnce(_ purpose: Purpose) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, purpose, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      let (store, now) = (ground.store, ground.now)
      let made = await race(50, failing: .refused(.ticketIsLive)) { number in
        try await store.commit([.ticket(.take(claim(begun))), .audit(entry(.sessionEnded, now, number + 1000))])
      }
      #expect(made == 1)
      let noted: SQL = "SELECT count(*) FROM gatehouse.audit WHERE event = \(AuditEvent.sessionEnded.rawValue)"
      #expect(try await number(ground, noted) == 1)
    }
  }

  // MARK: By its holder alone

  /// Claims of which one value differs from the ticket's.
  private func others(_ right: TicketClaim) -> [(name: String, claim: TicketClaim)] {
    func with(_ change: (inout TicketClaim) -> Void) -> TicketClaim {
      var other = right
      change(&other)
      return other
    }
    let purposes = Purpose.allCases.filter { $0 != right.purpose }.map { purpose in
      ("purpose \(purpose)", with { $0.purpose = purpose })
    }
    return purposes + [
      ("hash", with { $0.hash = hash(9) }), ("provider", with { $0.provider = "apple" }),
      ("no provider", with { $0.provider = nil }), ("session", with { $0.session = SessionID(id(11)) }),
      ("no session", with { $0.session = nil }), ("client", with { $0.client = "second" }),
      ("no client", with { $0.client = nil }), ("holder", with { $0.holderHash = hash(101) }),
      ("no holder", with { $0.holderHash = nil }),
    ]
  }

  @Test(
    "T100 a ticket is taken by a claim that matches it in every value, and stays for it", arguments: Purpose.allCases)
  func holder(_ purpose: Purpose) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, purpose, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      for (name, other) in others(claim(begun)) {
        #expect(try await ground.store.take(other) == nil, "\(name)")
        #expect(try await ground.store.ticket(other) == nil, "\(name)")
        #expect(try await ground.store.reserveTry(other) == nil, "\(name)")
        #expect(
          await refusal { try await ground.store.commit([.ticket(.take(other))]) } == .refused(.ticketIsLive),
          "\(name)")
      }
      #expect(try await ground.store.take(claim(begun)) == begun)
    }
  }

  @Test("T100 a ticket without a value is not taken by a claim that has one", arguments: Purpose.allCases)
  func absent(_ purpose: Purpose) async throws {
    try await withStore { ground async throws in
      let begun = Ticket(hash: hash(2), purpose: purpose)
      try await ground.store.commit([.ticket(.begin(begun))])
      let bare = claim(begun)
      var (provider, session, client, holder) = (bare, bare, bare, bare)
      provider.provider = "google"
      session.session = SessionID(id(10))
      client.client = "first"
      holder.holderHash = hash(100)
      for other in [provider, session, client, holder] { #expect(try await ground.store.take(other) == nil) }
      #expect(try await ground.store.take(bare) == begun)
    }
  }

  @Test("another tenant finds no ticket of this one", arguments: Purpose.allCases)
  func tenant(_ purpose: Purpose) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let other = try await ground.makeTenant("second")
      let begun = ticket(2, purpose, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      #expect(try await other.store.take(claim(begun)) == nil)
      #expect(try await other.store.ticket(claim(begun)) == nil)
      #expect(try await other.store.reserveTry(claim(begun)) == nil)
      #expect(try await other.store.session(ofTicket: begun.hash, for: purpose) == nil)
      #expect(try await ground.store.take(claim(begun)) == begun)
    }
  }

  @Test("a ticket that rests on an epoch is not taken once the account has another one", arguments: Purpose.allCases)
  func epoch(_ purpose: Purpose) async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, purpose, user, session)
      var free = ticket(3, purpose, user, session)
      free.epoch = nil
      try await ground.store.commit([.ticket(.begin(begun)), .ticket(.begin(free))])
      ground.clock.advance(seconds: 1)
      try await ground.store.commit([.user(.setPassword(user.id, phc: "y"))])
      #expect(try await ground.store.ticket(claim(begun)) == nil)
      #expect(try await ground.store.reserveTry(claim(begun)) == nil)
      #expect(try await ground.store.take(claim(begun)) == nil)
      #expect(
        await refusal { try await ground.store.commit([.ticket(.take(claim(begun)))]) } == .refused(.ticketIsLive))
      #expect(try await ground.store.take(claim(free)) == free)
    }
  }

  // MARK: Tries

  @Test("a ticket with tries has so many, counted before the answer, and one that was right takes it")
  func tries() async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, .secondFactor, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      let tries = try #require(Purpose.secondFactor.terms.tries)
      for number in 1...tries {
        #expect(try await ground.store.reserveTry(claim(begun))?.attempts == number)
      }
      #expect(try await ground.store.reserveTry(claim(begun)) == nil)
      #expect(try await number(ground, "SELECT attempts FROM gatehouse.ticket") == tries)
      #expect(try await ground.store.take(claim(begun))?.attempts == tries)
    }
  }

  @Test("of fifty tries at the same moment so many are had as there are")
  func triesAtOnce() async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      let begun = ticket(2, .secondFactor, user, session)
      try await ground.store.commit([.ticket(.begin(begun))])
      let store = ground.store
      let had = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<50 { group.addTask { (try? await store.reserveTry(claim(begun))) != nil } }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(had == Purpose.secondFactor.terms.tries)
    }
  }

  // MARK: What goes with its account

  @Test("tickets of an account go with it")
  func deleted() async throws {
    try await withStore { ground async throws in
      let (user, session) = try await signIn(ground)
      for (seed, purpose) in Purpose.allCases.enumerated() {
        try await ground.store.commit([.ticket(.begin(ticket(UInt8(seed + 2), purpose, user, session)))])
      }
      #expect(try await number(ground, Self.all) == Purpose.allCases.count)
      try await ground.store.commit([.user(.delete(user.id))])
      #expect(try await number(ground, Self.all) == 0)
    }
  }
}
