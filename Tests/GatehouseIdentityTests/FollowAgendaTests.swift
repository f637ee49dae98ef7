import GatehousePrimitives
import Testing

@testable import GatehouseIdentity

@Suite("The order in which changed tenants are loaded")
struct FollowAgendaTests {
  private static func names(_ prefix: String, _ count: Int) -> [TenantName] {
    (0..<count).compactMap { TenantName("\(prefix)\($0)") }
  }

  private static func agenda(found: Int = 0, told: Int = 0) -> FollowAgenda {
    var agenda = FollowAgenda()
    agenda.find(names("stale", found))
    for name in names("told", told) { agenda.note(name) }
    return agenda
  }

  private static func loaded(_ step: FollowAgenda.Step?) -> [TenantName] {
    if case .load(let names, _)? = step { names } else { [] }
  }

  @Test("a tenant that is told many times is loaded once")
  func once() {
    var agenda = FollowAgenda()
    for _ in 0..<1000 { agenda.note(TenantName("told0")) }
    #expect(Self.loaded(agenda.next()) == Self.names("told", 1))
    #expect(agenda.next() == nil)
  }

  @Test("a tenant that is told again after its step is loaded again")
  func again() {
    var agenda = Self.agenda(told: 1)
    _ = agenda.next()
    agenda.note(TenantName("told0"))
    #expect(Self.loaded(agenda.next()) == Self.names("told", 1))
  }

  @Test("no step is larger than the most, and nothing is lost", arguments: [0, 1, 63, 64, 65, 5000])
  func bounded(count: Int) {
    var agenda = Self.agenda(told: count)
    var steps: [[TenantName]] = []
    while let step = agenda.next() { steps.append(Self.loaded(step)) }
    #expect(steps.flatMap(\.self) == Self.names("told", count))
    #expect(steps.allSatisfy { $0.count <= FollowAgenda.stretch })
  }

  @Test("a tenant that is told is in the next step, however many a look found")
  func toldFirst() {
    var agenda = Self.agenda(found: 5000, told: 1)
    #expect(Self.loaded(agenda.next()).contains(Self.names("told", 1)[0]))
  }

  @Test("a look ends, however many tenants are told meanwhile")
  func lookEnds() {
    var agenda = Self.agenda(found: 5000, told: 5000)
    var steps = 0
    while case .load(_, let endsLook)? = agenda.next() {
      steps += 1
      for name in Self.names("later\(steps)-", 100) { agenda.note(name) }
      if endsLook { break }
    }
    #expect(steps <= 5000 / (FollowAgenda.stretch / 2) + 1)
  }

  @Test("a look ends with the last tenant that it found")
  func lookEndsOnce() {
    var agenda = Self.agenda(found: 100)
    var ends: [Bool] = []
    while case .load(_, let endsLook)? = agenda.next() { ends.append(endsLook) }
    #expect(ends == [false, true])
  }

  @Test("a look that is due begins after the one before has ended")
  func oneLook() {
    var agenda = Self.agenda(found: 1)
    agenda.note(nil)
    #expect(Self.loaded(agenda.next()).count == 1)
    #expect(agenda.next() == .look)
  }

  @Test("what cannot be loaded does not wait: the next look finds it")
  func dropped() {
    var agenda = Self.agenda(found: 100, told: 100)
    agenda.drop()
    #expect(agenda.next() == nil)
  }

  @Test("one pause follows another, and none follows a look for missed messages")
  func pauses() {
    var agenda = FollowAgenda()
    agenda.note(nil)
    _ = agenda.next()
    let afterMessages = agenda.isPauseDue()
    agenda.endPause()
    let beforeItsLook = agenda.isPauseDue()
    _ = agenda.next()
    #expect([afterMessages, beforeItsLook, agenda.isPauseDue(), agenda.isPauseDue()] == [false, false, true, false])
  }
}
