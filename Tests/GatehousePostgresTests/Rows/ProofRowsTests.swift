import Foundation
import GatehouseIdentity
@testable import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import Testing

@Suite("Stored proofs of sessions")
struct ProofRowsTests {
  private func opened(_ ground: StoreFixture, _ body: (UserID, Session) async throws -> Void) async throws {
    let user = sampleUser(1, ground.now)
    let phone = session(7, of: user, ground.now)
    try await ground.store.commit([
      .user(.insert(user, unique: [])),
      .session(.insert(phone, by: .refreshToken(token(7, of: phone, ground.now)), keeping: 5)),
    ])
    try await body(user.id, phone)
  }

  private func stored(_ ground: StoreFixture, _ session: Session) async throws -> Proofs {
    try #require(try await ground.store.session(id: session.id)).session.proofs
  }

  /// Writes as a superuser does.
  private func write(_ ground: StoreFixture, _ statement: SQL) async throws {
    let all = try await ground.place.connect(user: Embedded.superuser)
    do {
      _ = try await all.write(nil, [statement])
    } catch {
      await all.stop()
      throw error
    }
    await all.stop()
  }

  @Test("proofs come back as they were written, to the microsecond, as the session's own")
  func roundTrip() async throws {
    try await withStore { ground async throws in
      try await opened(ground) { user, phone in
        let written = Proofs(
          tenant: ground.tenant, user: user,
          first: Proof(method: .provider, at: Date(timeIntervalSince1970: 1_700_000_000.123456), isActive: false),
          [Proof(method: .password, factor: phone.id.uuid, at: ground.now, isUserVerified: true)])
        try await ground.store.commit([.session(.reauthenticate(phone.id, written, seen: phone.proofs))])
        let read = try await stored(ground, phone)
        #expect(read.newest.factor == phone.id.uuid && read.newest.isUserVerified)
        #expect(read.all[0].factor == nil && !read.all[0].isUserVerified)
        #expect(read.all[0].isActive == false && read.newest.isActive == nil)
        #expect(read.user == user && read.tenant == ground.tenant && read.amr == ["fed", "pwd"])
        #expect(abs(read.all[0].at.timeIntervalSince(written.all[0].at)) < 0.000_002)
      }
    }
  }

  @Test("a session of an older build has the proofs of its methods, before the job filled them in and after")
  func older() async throws {
    try await withStore { ground async throws in
      try await opened(ground) { _, phone in
        try await write(ground, "UPDATE session SET proofs = NULL, methods = '{pwd,fed}'")
        let before = try await stored(ground, phone)
        #expect(before.amr == ["pwd", "fed"] && before.authTime == ground.now)
        let backfill = PostgresProofBackfill(ground.jobs)
        #expect(try await backfill.fill(batch: 10) == 1)
        #expect(try await backfill.fill(batch: 10) == 0)
        #expect(try await ground.everything("SELECT proofs IS NOT NULL FROM session")[0][0] as Bool)
        #expect(try await stored(ground, phone) == before)
      }
    }
  }

  @Test("a re-authentication that an older build wrote counts, beside stored proofs that it does not know")
  func olderWroteLast() async throws {
    try await withStore { ground async throws in
      try await opened(ground) { _, phone in
        try await write(
          ground, "UPDATE session SET methods = '{fed}', authenticated_at = authenticated_at + interval '1 minute'")
        let read = try await stored(ground, phone)
        #expect(read.amr == ["fed"] && read.authTime == ground.now.addingTimeInterval(60))
      }
    }
  }

  @Test("a session that a later build opened by a method of its own goes on, and keeps what it does not know")
  func later() async throws {
    try await withStore { ground async throws in
      try await opened(ground) { _, phone in
        try await write(
          ground,
          """
          UPDATE session SET methods = '{pop}', proofs = jsonb_build_array(jsonb_build_object(
            'method', 'scent', 'at', (extract(epoch FROM authenticated_at) * 1000000)::bigint, 'new', 1))
          """)
        let read = try await stored(ground, phone)
        #expect(read.all.map(\.method) == [.later("scent")] && read.authTime == ground.now)
        let joined = Proofs(
          tenant: read.tenant, user: read.user, first: read.newest,
          [Proof(method: .password, at: ground.now.addingTimeInterval(1))])
        try await ground.store.commit([.session(.reauthenticate(phone.id, joined, seen: read))])
        #expect(try await stored(ground, phone).all.map(\.method.name) == ["scent", "password"])
      }
    }
  }

  @Test("the job fills no more than its batch")
  func batch() async throws {
    try await withStore { ground async throws in
      try await opened(ground) { user, _ in
        let tablet = session(8, of: sampleUser(1, ground.now), ground.now)
        try await ground.store.commit([
          .session(.insert(tablet, by: .refreshToken(token(8, of: tablet, ground.now)), keeping: 5))
        ]
        )
        try await write(ground, "UPDATE session SET proofs = NULL")
        let backfill = PostgresProofBackfill(ground.jobs)
        #expect(try await backfill.fill(batch: 1) == 1)
        #expect(try await backfill.fill(batch: 1) == 1)
      }
    }
  }

  @Test("the database takes no list without a proof")
  func empty() async throws {
    try await withStore { ground async throws in
      try await opened(ground) { _, _ in
        let refused = await #expect(throws: DatabaseError.self) {
          try await write(ground, "UPDATE session SET proofs = '[]'")
        }
        #expect(refused?.description.contains("23514") == true)
      }
    }
  }
}
