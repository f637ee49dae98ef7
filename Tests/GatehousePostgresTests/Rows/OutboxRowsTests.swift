import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct OutboxRowsTests {
  @Test("a waiting mail is taken with its tenant, and again only when its lease is over")
  func lease() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      let other = try await ground.makeTenant("second")
      try await ground.store.commit([.message(.enqueue(mail(1, ground.now)))])
      try await other.store.commit([.message(.enqueue(mail(1, ground.now)))])
      #expect(try await queue.backlog() == (2, 0))
      ground.clock.advance(seconds: 5)
      #expect(try await queue.backlog() == (2, 5))
      let taken = try await queue.takeDue(on: [.mail], limit: 10, lease: 120)
      #expect(Set(taken.map(\.tenant)) == [ground.tenant, other.id])
      var expected = mail(1, ground.now.addingTimeInterval(-5))
      expected.attempts = 1
      #expect(taken.allSatisfy { $0.message == expected })
      ground.clock.advance(seconds: 119)
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 120).isEmpty)
      ground.clock.advance(seconds: 1)
      #expect(try await queue.takeDue(on: [.mail], limit: 1, lease: 120).map(\.message.attempts) == [2])
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 120).count == 1)
    }
  }

  @Test("a delivered mail is not sent again and its body is gone, whatever a late worker says")
  func delivered() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      try await ground.store.commit([.message(.enqueue(mail(1, ground.now)))])
      _ = try await queue.takeDue(on: [.mail], limit: 1, lease: 1)
      try await ground.store.markDelivered(id(1))
      try await ground.store.markFailed(id(1), reason: "late", retryAfter: 0)
      try await ground.store.markFailed(id(1), reason: "late", retryAfter: nil)
      ground.clock.advance(seconds: 100)
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 1).isEmpty)
      #expect(try await queue.backlog() == (0, 0))
      let row = try #require(
        try await ground.everything(
          "SELECT sealed_order IS NULL, delivered_at IS NOT NULL, last_error IS NULL, given_up_at IS NULL FROM gatehouse.outbox"
        ).first)
      for column in 0..<4 { #expect(try row[column], "column \(column)") }
    }
  }

  @Test("T163 notices of all kinds together are ten a day for one recipient, and the first of each kind beside them")
  func notices() async throws {
    try await withStore { ground async throws in
      var number = 0
      func notify(_ kind: MessageKind, to recipient: String, times: Int) async throws {
        for _ in 0..<times {
          number += 1
          var notice = mail(number, ground.now)
          notice.kind = kind
          try await ground.store.commit([.message(.notify(notice, limit(of: kind, to: recipient)))])
        }
      }
      try await notify(.passwordChanged, to: "pat", times: 4)
      try await notify(.newDevice, to: "pat", times: 4)
      try await notify(.providerLinked, to: "pat", times: 4)
      try await notify(.providerUnlinked, to: "pat", times: 4)
      try await notify(.newDevice, to: "kay", times: 1)
      let sent = try await PostgresOutboxQueue(ground.jobs).takeDue(on: [.mail], limit: 100, lease: 1).map(
        \.message.kind)
      #expect(
        Dictionary(grouping: sent) { $0 }.mapValues(\.count)
          == [.passwordChanged: 4, .newDevice: 4 + 1, .providerLinked: 2, .providerUnlinked: 1])
    }
  }

  private func limit(of kind: MessageKind, to recipient: String) -> NoticeLimit {
    NoticeLimit(
      all: Reservation(name: "notice", key: recipient, count: 10, window: 86_400),
      ofKind: Reservation(name: "notice_kind", key: "\(recipient):\(kind.rawValue)", count: 5, window: 86_400),
      isProven: true)
  }

  @Test("a message waits for a server that has its channel")
  func channel() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      var text = mail(2, ground.now)
      text.channel = .sms
      try await ground.store.commit([.message(.enqueue(mail(1, ground.now))), .message(.enqueue(text))])
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 120).map(\.message.id) == [id(1)])
      #expect(try await queue.takeDue(on: [], limit: 10, lease: 120).isEmpty)
      #expect(try await queue.takeDue(on: [.mail, .sms], limit: 10, lease: 120).map(\.message.id) == [id(2)])
    }
  }

  @Test("a row as the release before writes it goes by mail")
  func withoutChannel() async throws {
    try await withStore { ground async throws in
      _ = try await ground.app.write(
        ground.tenant.uuid,
        """
        INSERT INTO outbox (id, kind, account_id, sealed_order, created_at, due_at, expires_at)
        VALUES (\(id(1)), 'verify_email', NULL, \([7, 7] as [UInt8]), gatehouse.now(), gatehouse.now(),
          gatehouse.now() + interval '1 hour')
        """)
      let taken = try await PostgresOutboxQueue(ground.jobs).takeDue(on: [.mail], limit: 10, lease: 120)
      #expect(taken.map(\.message.id) == [id(1)])
      #expect(taken.map(\.message.channel) == [.mail])
    }
  }

  @Test("a failed mail waits as long as it is told, or is given up with its body")
  func failed() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      try await ground.store.commit([.message(.enqueue(mail(1, ground.now))), .message(.enqueue(mail(2, ground.now)))])
      _ = try await queue.takeDue(on: [.mail], limit: 10, lease: 120)
      try await ground.store.markFailed(id(1), reason: "421 later", retryAfter: 300)
      try await ground.store.markFailed(id(2), reason: "550 never", retryAfter: nil)
      ground.clock.advance(seconds: 299)
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 120).isEmpty)
      ground.clock.advance(seconds: 1)
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 120).map(\.message.id) == [id(1)])
      let given = try await ground.everything(
        "SELECT sealed_order IS NULL, last_error FROM gatehouse.outbox WHERE given_up_at IS NOT NULL")
      #expect(try given.count == 1 && given[0][0] && given[0][1] == "550 never")
    }
  }

  @Test("mails that were postponed are woken; what a worker holds stays its own, and other channels and ends stay")
  func wake() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      var text = mail(5, ground.now)
      text.channel = .sms
      try await ground.store.commit(
        (1...4).map { .message(.enqueue(mail($0, ground.now))) } + [.message(.enqueue(text))])
      _ = try await queue.takeDue(on: [.mail, .sms], limit: 10, lease: 120)
      try await ground.store.markFailed(id(1), reason: "421 later", retryAfter: 300)
      try await ground.store.markFailed(id(2), reason: "550 never", retryAfter: nil)
      try await ground.store.markDelivered(id(3))
      try await ground.store.markFailed(id(5), reason: "503 later", retryAfter: 300)
      // The fourth is held still.
      try await queue.wake(on: .mail, beyond: 120)
      #expect(try await queue.takeDue(on: [.mail, .sms], limit: 10, lease: 120).map(\.message.id) == [id(1)])
    }
  }

  @Test("a mail whose code is dead is not sent late")
  func expired() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      try await ground.store.commit([
        .message(.enqueue(mail(1, ground.now, lives: 600))), .message(.enqueue(mail(2, ground.now))),
      ])
      ground.clock.advance(seconds: 600)
      #expect(try await queue.takeDue(on: [.mail], limit: 10, lease: 1).map(\.message.id) == [id(2)])
      let row = try await ground.everything(
        "SELECT sealed_order IS NULL, last_error FROM gatehouse.outbox WHERE given_up_at IS NOT NULL")
      #expect(try row.count == 1 && row[0][0] && row[0][1] == "expired")
    }
  }

  @Test("workers that ask at the same moment never get the same mail, and never more than they asked for")
  func race() async throws {
    try await withStore { ground async throws in
      let queue = PostgresOutboxQueue(ground.jobs)
      let now = ground.now
      try await ground.store.commit((0..<60).map { .message(.enqueue(mail($0, now))) })
      let taken = await withTaskGroup(of: [UUID].self) { group in
        for _ in 0..<30 {
          group.addTask { ((try? await queue.takeDue(on: [.mail], limit: 3, lease: 60)) ?? []).map(\.message.id) }
        }
        return await group.reduce(into: [[UUID]]()) { $0.append($1) }
      }
      #expect(taken.allSatisfy { $0.count <= 3 })
      var all = taken.flatMap(\.self)
      all += try await queue.takeDue(on: [.mail], limit: 100, lease: 60).map(\.message.id)
      #expect(all.count == 60 && Set(all).count == 60)
    }
  }

  @Test("a mail is enqueued with its cause or not at all")
  func withCause() async throws {
    try await withStore { ground async throws in
      #expect(
        await refusal {
          try await ground.store.commit([
            .message(.enqueue(mail(1, ground.now))), .user(.setDisabled(UserID(id(9)), true)),
          ])
        } == .refused(.accountExists))
      #expect(try await PostgresOutboxQueue(ground.jobs).backlog() == (0, 0))
    }
  }
}
