import Foundation
import GatehouseIdentity
import Testing

@Suite("Sessions that made requests, in memory")
struct SeenSessionsTests {
  private let tenant = TenantID(UUID())

  private func moment(_ second: Int) -> Date { Date(timeIntervalSince1970: Double(second)) }

  @Test("each session is there once, with its newest request, whichever loop it came to")
  func newest() {
    let seen = SeenSessions()
    let (one, other) = (seen.part(), seen.part())
    let phone = SessionID(UUID())
    for (part, second) in [(one, 1), (other, 3), (one, 2)] { part.note(tenant, phone, at: moment(second)) }
    #expect(seen.take() == [SeenSession(tenant, phone, at: moment(3))])
    #expect(seen.take().isEmpty)
  }

  @Test("the same id in two tenants is two sessions")
  func tenants() {
    let seen = SeenSessions()
    let part = seen.part()
    let (phone, other) = (SessionID(UUID()), TenantID(UUID()))
    for tenant in [tenant, other] { part.note(tenant, phone, at: moment(1)) }
    #expect(Set(seen.take().map(\.tenant)) == [tenant, other])
  }

  @Test("a million sessions take the memory of few, and those seen last are kept")
  func bounded() {
    let seen = SeenSessions(most: 1000)
    let part = seen.part()
    let sessions = (0..<20_000).map { _ in SessionID(UUID()) }
    for (second, session) in sessions.enumerated() { part.note(tenant, session, at: moment(second)) }
    let kept = seen.take()
    #expect(kept.count <= 1000)
    #expect(Set(kept.map(\.session)).isSuperset(of: sessions.suffix(500)))
  }

  @Test("it is time to write long before anything is forgotten")
  func filling() {
    let seen = SeenSessions(most: 1000)
    let part = seen.part()
    #expect(seen.isFilling == false)
    for second in 0..<300 { part.note(tenant, SessionID(UUID()), at: moment(second)) }
    #expect(seen.isFilling)
    #expect(seen.take().count == 300)
    #expect(seen.isFilling == false)
  }

  @Test("what could not be written comes again with what was seen meanwhile, the newest of it where it is too much")
  func putBack() {
    let seen = SeenSessions(most: 10)
    let part = seen.part()
    let sessions = (0..<30).map { _ in SessionID(UUID()) }
    seen.putBack(sessions.enumerated().map { SeenSession(tenant, $1, at: moment($0)) })
    part.note(tenant, sessions[29], at: moment(99))
    let taken = seen.take()
    #expect(Set(taken.map(\.session)) == Set(sessions.suffix(10)))
    #expect(taken.first { $0.session == sessions[29] }?.at == moment(99))
  }
}
