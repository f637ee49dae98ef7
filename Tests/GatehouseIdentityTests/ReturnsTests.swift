import Foundation
import GatehouseWire
import Testing

@testable import GatehouseIdentity

@Suite("What waits to be given back")
struct ReturnsTests {
  private let tenant = TenantID(UUID())
  private let now = Date(timeIntervalSince1970: 1_000_000)
  private let claim = Return.Kind.claim(IdempotencyClaim(key: [1], body: [2], id: UUID(), user: nil))
  private let attempt = Return.Kind.attempt(SignInAttempt(SignInKey(bytes: [1]), within: []))
  private let counts = Return.Kind.counts([.limit(.giveBack(.none))])

  @Test("it waits in order, and is taken once")
  func order() {
    let returns = Returns()
    for kind in [claim, attempt, counts] { returns.note(kind, of: tenant, at: now) }
    #expect(returns.take(2, at: now).map(\.word) == ["claim", "attempt"])
    #expect(returns.take(9, at: now).map(\.word) == ["counts"])
    #expect(returns.take(9, at: now).isEmpty)
  }

  @Test("beyond the bound nothing more is kept")
  func bounded() {
    let returns = Returns(most: 2)
    for kind in [claim, attempt, counts] { returns.note(kind, of: tenant, at: now) }
    #expect(returns.take(9, at: now).map(\.word) == ["claim", "attempt"])
  }

  @Test("a claim is of no use after 15 seconds, an attempt or a count after ten minutes")
  func age() {
    let returns = Returns()
    for kind in [claim, attempt, counts] { returns.note(kind, of: tenant, at: now) }
    #expect(returns.take(0, at: now.addingTimeInterval(14)).isEmpty && returns.count == 3)
    #expect(returns.take(0, at: now.addingTimeInterval(15)).isEmpty && returns.count == 2)
    #expect(returns.take(9, at: now.addingTimeInterval(600)).isEmpty && returns.count == 0)
  }

  @Test("what may have been given back is given back anew only where the second time does nothing")
  func unknown() {
    func left(_ error: StoreError) -> [String] {
      [claim, attempt, counts].map { Return(kind: $0, tenant: tenant, since: now) }
        .filter { $0.isLeft(after: error) }.map(\.word)
    }
    #expect(left(.unknownOutcome) == ["claim", "attempt"])
    #expect(left(.unavailable) == ["claim", "attempt", "counts"])
  }

  @Test("a request that fails by the server's fault gives its right tries back, counts only if nothing was committed")
  func tries() {
    func returned(_ code: ErrorCode?, _ body: (RightTries) -> Void = { _ in }) -> [String] {
      let (returns, tries) = (Returns(), RightTries())
      for kind in [attempt, counts] { tries.note(kind) }
      body(tries)
      tries.failed(with: code, of: tenant, at: now, returns)
      return returns.take(9, at: now).map(\.word)
    }
    #expect(returned(.overloaded) == ["attempt", "counts"])
    #expect(returned(.unknownOutcome) == ["attempt"])
    #expect(returned(.overloaded) { $0.forget() } == [])
  }
}

extension Return {
  fileprivate var word: String {
    switch kind {
    case .claim: "claim"
    case .attempt: "attempt"
    case .counts: "counts"
    }
  }
}
