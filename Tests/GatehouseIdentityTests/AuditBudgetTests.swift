import Foundation
import GatehouseIdentity
import GatehousePolicy
import Testing

@Suite("What strangers can write into the audit trail is bounded")
struct AuditBudgetTests {
  private let tenant = TenantID(UUID())
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let budget = AuditBudget()

  private func admit(
    _ event: AuditEvent = .signInBlocked, about cause: String = "a", of user: UserID? = nil, alike: Int = 1,
    after seconds: Double = 0
  ) -> Int? {
    budget.admit(
      event, tenant, user: user, cause: cause, alike: alike, at: start.addingTimeInterval(seconds))
  }

  @Test("of events alike one in a minute is written, and the next one says how many were not")
  func alike() {
    let counts = [0, 1, 59, 60, 120].map { admit(after: $0) }
    #expect(counts == [0, nil, nil, 2, 0])
  }

  @Test("another cause, event or tenant is another event")
  func others() {
    _ = admit()
    let others: [Int?] = [
      admit(about: "b"), admit(.limitExceeded),
      budget.admit(.signInBlocked, TenantID(UUID()), user: nil, cause: "a", at: start),
    ]
    #expect(others == [0, 0, 0])
  }

  @Test("T160 an event has ten rows a minute whatever the causes, and no other event has fewer for it")
  func flood() {
    let rows = (0..<1000).compactMap { admit(.tokenRefused, about: "\($0)") }
    #expect(rows.count == AuditBudget.unnamed && admit(.codeRefused) == 0)
  }

  @Test("T160 rows that name an account have a budget of their own")
  func named() {
    for number in 0..<1000 { _ = admit(.codeRefused, about: "\(number)") }
    #expect(admit(.codeRefused, about: "victim", of: UserID(UUID())) == 0)
  }

  @Test("T160 events that became no audit row are reported once a minute: by account, and in one count for the rest")
  func told() {
    let victim = UserID(UUID())
    for number in 0..<110 { _ = admit(.codeRefused, about: "\(number)") }
    for _ in 0..<8 { _ = admit(.codeRefused, about: "victim", of: victim, alike: 5) }
    let told = budget.suppressed(at: start.addingTimeInterval(60)).map { "\($0.user == victim) \($0.count)" }
    let again = budget.suppressed(at: start.addingTimeInterval(120)).map(\.count)
    #expect(told.sorted() == ["false 100", "true 3"] && again.isEmpty)
  }

  @Test("T160 guesses at more accounts than the budget has rows for are told in one count")
  func manyUsers() {
    for _ in 0..<200 {
      let user = UserID(UUID())
      for _ in 0..<3 { _ = admit(.codeRefused, about: user.text, of: user) }
    }
    let told = budget.suppressed(at: start.addingTimeInterval(60))
    let events = told.map(\.count).reduce(0, +)
    #expect(told.count == AuditBudget.named + 1 && events == 600 - AuditBudget.named)
  }
}
