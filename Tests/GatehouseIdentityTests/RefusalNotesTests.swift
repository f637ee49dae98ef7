import Foundation
import GatehouseIdentity
import GatehousePolicy
import Testing

@Suite("What strangers can write into the audit trail is bounded")
struct RefusalNotesTests {
  private let tenant = TenantID(UUID())
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("of refusals alike one in a minute is written, and the next one says how many were not")
  func alike() {
    let notes = RefusalNotes()
    #expect(notes.admit(.signInBlocked, tenant, cause: "a", at: start) == 0)
    for second in 0..<59 {
      #expect(notes.admit(.signInBlocked, tenant, cause: "a", at: start.addingTimeInterval(Double(second))) == nil)
    }
    // Another cause, event or tenant is another refusal.
    #expect(notes.admit(.signInBlocked, tenant, cause: "b", at: start) == 0)
    #expect(notes.admit(.limitExceeded, tenant, cause: "a", at: start) == 0)
    #expect(notes.admit(.signInBlocked, TenantID(UUID()), cause: "a", at: start) == 0)
    #expect(notes.admit(.signInBlocked, tenant, cause: "a", at: start.addingTimeInterval(60)) == 59)
    #expect(notes.admit(.signInBlocked, tenant, cause: "a", at: start.addingTimeInterval(120)) == 0)
  }

  @Test("a tenant gets a hundred such rows a minute at most, whatever the causes, and none goes uncounted")
  func flood() {
    let notes = RefusalNotes()
    var (rows, told) = (0, 0)
    for number in 0..<50_000 {
      let now = start.addingTimeInterval(Double(number) / 1000)
      if let suppressed = notes.admit(.tokenRefused, tenant, cause: "\(number)", at: now) {
        rows += 1
        told += suppressed
      }
    }
    #expect(rows == RefusalNotes.most && told == 0)
    #expect(notes.admit(.tokenRefused, tenant, cause: "later", at: start.addingTimeInterval(100)) == 50_000 - rows)
    #expect(notes.admit(.tokenRefused, TenantID(UUID()), cause: "x", at: start) == 0)
  }
}
