import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite struct WebhookRowsTests {
  private func endpoint(_ number: Int, hears events: [WebhookEvent] = [.userCreated], _ now: Date) -> WebhookEndpoint {
    WebhookEndpoint(
      id: id(number), url: "https://\(number).example/", events: events, fields: ["email"], sealedSecret: [1, 2],
      createdAt: now, shownBy: [.userRead])
  }

  private func cause(_ number: Int, of event: AuditEvent = .userCreated, _ now: Date) -> Change {
    .audit(
      AuditEntry(id: id(number), at: now, event: event, actor: "anonymous", user: UserID(id(1)), revision: 3))
  }

  private func take(_ ground: StoreFixture, limit: Int = 10, perEndpoint: Int = 4, busy: [UUID] = []) async throws
    -> [DueWebhook]
  {
    try await PostgresWebhookQueue(ground.jobs).takeDueWebhooks(
      limit: limit, perEndpoint: perEndpoint, busy: busy, lease: 60
    ).sorted { ($0.endpoint.url, $0.delivery.id.text) < ($1.endpoint.url, $1.delivery.id.text) }
  }

  @Test("an endpoint comes back as it went in; rotation keeps the secret before; switching off and on; delete")
  func endpoints() async throws {
    try await withStore { ground async throws in
      var one = endpoint(1, hears: WebhookEvent.allCases, ground.now)
      try await ground.store.commit([.webhook(.insert(one)), .webhook(.insert(endpoint(2, ground.now)))])
      #expect(try await ground.store.webhooks() == [one, endpoint(2, ground.now)])
      let until = ground.now.addingTimeInterval(60)
      try await ground.store.commit([
        .webhook(.show(one.id, by: ["user:read", "audit:read"])),
        .webhook(.rotateSecret(one.id, sealed: [9], previousUntil: until)),
        .webhook(.setDisabled(one.id, reason: "operator")),
      ])
      one.shownBy = [.userRead, .auditRead]
      one.sealedPrevious = one.sealedSecret
      one.sealedSecret = [9]
      one.previousUntil = until
      one.disabledAt = ground.now
      one.disabledReason = "operator"
      #expect(try await ground.store.webhooks().first == one)
      try await ground.store.commit([.webhook(.setDisabled(one.id, reason: nil))])
      one.disabledAt = nil
      one.disabledReason = nil
      #expect(try await ground.store.webhooks().first == one)
      try await ground.store.commit([.webhook(.delete(one.id))])
      #expect(try await ground.store.webhooks().count == 1)
      for change: Change in [
        .webhook(.delete(one.id)), .webhook(.setDisabled(one.id, reason: nil)),
        .webhook(.rotateSecret(one.id, sealed: [1], previousUntil: until)),
      ] {
        #expect(await refusal { try await ground.store.commit([change]) } == .refused(.webhookExists))
      }
    }
  }

  @Test(
    "a cause writes one message for each endpoint that wants it, in its own transaction or not at all",
    arguments: WebhookEvent.allCases)
  func causes(_ event: WebhookEvent) async throws {
    try await withStore { ground async throws in
      var off = endpoint(4, hears: WebhookEvent.allCases, ground.now)
      off.id = id(4)
      try await ground.store.commit([
        .webhook(.insert(endpoint(1, hears: [event], ground.now))),
        .webhook(.insert(endpoint(2, hears: WebhookEvent.allCases, ground.now))),
        .webhook(.insert(endpoint(3, hears: WebhookEvent.allCases.filter { $0 != event }, ground.now))),
        .webhook(.insert(off)),
        .webhook(.setDisabled(off.id, reason: "operator")),
      ])
      let other = try await ground.makeTenant("second")
      try await other.store.commit([.webhook(.insert(endpoint(9, hears: [event], ground.now)))])
      _ = await refusal {
        try await ground.store.commit([cause(6, of: event.cause, ground.now), .webhook(.delete(id(99)))])
      }
      try await ground.store.commit([cause(7, of: event.cause, ground.now), cause(8, of: .keyRotated, ground.now)])
      let due = try await take(ground)
      #expect(due.map(\.endpoint.id) == [id(1), id(2)] && due.allSatisfy { $0.tenant == ground.tenant })
      for message in due {
        #expect(
          message.delivery
            == WebhookDelivery(
              id: id(7), endpoint: message.endpoint.id, event: event, user: UserID(id(1)), revision: 3,
              at: ground.now, attempts: 1))
      }
    }
  }

  @Test("a message names the request that caused it, where that is traced")
  func origin() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([.webhook(.insert(endpoint(1, hears: [.userCreated], ground.now)))])
      let place = TraceParent(traceID: .fresh(), spanID: .fresh(), isSampled: true)
      try await Trace.$current.withValue(TraceContext(place)) {
        try await ground.store.commit([cause(7, of: WebhookEvent.userCreated.cause, ground.now)])
      }
      try await ground.store.commit([cause(8, of: WebhookEvent.userCreated.cause, ground.now)])
      #expect(try await take(ground).map(\.origin) == [place, nil])
    }
  }

  @Test("a policy that is applied is told, one that is refused is not")
  func policy() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([.webhook(.insert(endpoint(1, hears: [.policyApplied], ground.now)))])
      var audit = entry(.policyApplied, ground.now)
      audit.revision = 2
      func apply(_ number: Int) -> PolicyApplication {
        PolicyApplication(
          tenant: ground.tenant, revision: StoreFixture.revision(number, ground.now), measuredRules: nil, audit: audit)
      }
      _ = await refusal { try await ground.directory.append([apply(3)]) }
      #expect(try await take(ground).isEmpty)
      try await ground.directory.append([apply(2)])
      let told = try await take(ground)
      #expect(told.map(\.delivery.event) == [.policyApplied] && told.first?.delivery.revision == 2)
    }
  }

  @Test("a message is leased to one worker, so many of one endpoint, none of a busy one; what is late is given up")
  func lease() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([
        .webhook(.insert(endpoint(1, ground.now))), .webhook(.insert(endpoint(2, ground.now))),
      ])
      for number in 10...19 { try await ground.store.commit([cause(number, ground.now)]) }
      #expect(try await take(ground, limit: 3).count == 3)
      let rest = try await take(ground, limit: 100, perEndpoint: 4, busy: [id(2)])
      #expect(rest.count == 4 && rest.allSatisfy { $0.endpoint.id == id(1) })
      let waiting = try await ground.store.webhookBacklog()
      #expect(waiting == [id(1): 10, id(2): 10])
      ground.clock.advance(seconds: 60)
      let again = try await take(ground, limit: 100, perEndpoint: 100)
      #expect(again.count == 20 && Set(again.map(\.delivery.attempts)) == [1, 2])
      ground.clock.advance(seconds: 3 * 86_400)
      #expect(try await take(ground).isEmpty)
      #expect(try await ground.store.webhookBacklog() == [:])
    }
  }

  @Test("of an endpoint that fails one message is taken at a time, after those of the others")
  func failing() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([
        .webhook(.insert(endpoint(1, ground.now))), .webhook(.insert(endpoint(2, ground.now))),
      ])
      for number in 10...13 { try await ground.store.commit([cause(number, ground.now)]) }
      let first = try #require(try await take(ground, limit: 1, perEndpoint: 1, busy: [id(2)]).first)
      _ = try await ground.store.markFailed(first.delivery, reason: "x", retryAfter: 0)
      let four = try await take(ground, limit: 4)
      #expect(four.map(\.endpoint.id) == [id(2), id(2), id(2), id(2)])
      let rest = try await take(ground, limit: 4)
      #expect(rest.map(\.endpoint.id) == [id(1)])
    }
  }

  @Test("two workers at once never take the same message")
  func workers() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([.webhook(.insert(endpoint(1, ground.now)))])
      for number in 10...49 { try await ground.store.commit([cause(number, ground.now)]) }
      let queue = PostgresWebhookQueue(ground.jobs)
      let taken = try await withThrowingTaskGroup(of: [DueWebhook].self) { group in
        for _ in 0..<8 {
          group.addTask { try await queue.takeDueWebhooks(limit: 10, perEndpoint: 10, busy: [], lease: 60) }
        }
        return try await group.reduce(into: [DueWebhook]()) { $0 += $1 }
      }
      let ids = taken.map(\.delivery.id)
      #expect(Set(ids).count == ids.count && !ids.isEmpty)
    }
  }

  @Test("success, failure and postponement are kept on message and endpoint")
  func outcomes() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([.webhook(.insert(endpoint(1, ground.now))), cause(10, ground.now)])
      let first = try #require(try await take(ground).first?.delivery)
      let began = ground.now
      #expect(try await ground.store.markFailed(first, reason: "answered 500", retryAfter: 30) == began)
      ground.clock.advance(seconds: 29)
      #expect(try await take(ground).isEmpty)
      ground.clock.advance(seconds: 1)
      let second = try #require(try await take(ground).first?.delivery)
      #expect(second.attempts == 2)
      #expect(try await ground.store.markFailed(second, reason: "no connection", retryAfter: 5) == began)
      var kept = try #require(try await ground.store.webhooks().first)
      #expect(kept.failingSince == began && kept.lastError == "no connection" && kept.lastSuccessAt == nil)
      ground.clock.advance(seconds: 5)
      let third = try #require(try await take(ground).first?.delivery)
      try await ground.store.postpone(third, seconds: 7)
      ground.clock.advance(seconds: 7)
      let fourth = try #require(try await take(ground).first?.delivery)
      #expect(fourth.attempts == 3)
      try await ground.store.markDelivered(fourth)
      kept = try #require(try await ground.store.webhooks().first)
      #expect(kept.failingSince == nil && kept.lastError == nil && kept.lastSuccessAt == ground.now)
      ground.clock.advance(seconds: 3600)
      #expect(try await take(ground).isEmpty)
      let sweep = PostgresExpirySweep(ground.jobs)
      #expect(try await sweep.prune(batch: 10)["webhooks"] == 0)
      ground.clock.advance(seconds: 7 * 86_400)
      #expect(try await sweep.prune(batch: 10)["webhooks"] == 1)
    }
  }

  @Test("what waits goes with its endpoint, and is given up when that is switched off; all goes with the tenant")
  func goes() async throws {
    try await withStore { ground async throws in
      try await ground.store.commit([
        .webhook(.insert(endpoint(1, ground.now))), .webhook(.insert(endpoint(2, ground.now))), cause(10, ground.now),
      ])
      try await ground.store.commit([.webhook(.delete(id(1))), .webhook(.setDisabled(id(2), reason: "gone"))])
      #expect(try await ground.store.webhookBacklog() == [:])
      try await ground.store.commit([.webhook(.setDisabled(id(2), reason: nil)), cause(11, ground.now)])
      #expect(try await take(ground).map(\.delivery.id) == [id(11)])
      try await ground.delete(ground.tenant)
      #expect(try await ground.everything("SELECT count(*) FROM gatehouse.webhook_delivery")[0][0] == 0)
      #expect(try await ground.everything("SELECT count(*) FROM gatehouse.webhook_endpoint")[0][0] == 0)
    }
  }
}
