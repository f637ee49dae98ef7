import Foundation
import GatehousePolicy
@testable import GatehousePolicyFile
import GatehouseTesting
import Testing

/// One parse serves what a text is a candidate for, what is asked about it, and what is served of it.
@Suite("One reading of a text")
struct OneReadingTests {
  private static let shipped = ["dd-ride", "messai", "vibes"]

  private func check(_ text: String) -> PolicyCheck {
    PolicyCheck.check(Array(text.utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-11-20"))
  }

  private func texts() throws -> [String] {
    try Self.shipped.map(TestLists.policy) + [PolicyFile.initial(tenant: "acme", name: "Acme"), ReadingTests.base]
  }

  @Test("a candidate that is applied says what its text says once it is stored")
  func stored() throws {
    for text in try texts() {
      let candidate = try PolicyFile.read(text, name: "acme.yaml").get().stored(as: "acme revision 2")
      let stored = try PolicyFile.read(text, name: "acme revision 2", as: .stored(.current)).get()
      #expect(candidate.policy == stored.policy)
      #expect(candidate.name == stored.name)
      #expect(candidate.document.name == stored.document.name)
      #expect(candidate.document.root?["tests"] == nil)
      #expect(candidate.tests.isEmpty)
      #expect(PolicyFile.diff(stored, candidate).isEmpty)
      let words = [PolicyVocabulary.words(of: candidate), PolicyVocabulary.words(of: stored)]
      #expect(words[0].map(\.word) == words[1].map(\.word))
      #expect(words[0].map(\.line) == words[1].map(\.line))
    }
  }

  @Test("a text that is asked about has the same answer as one that is read for that alone")
  func asked() throws {
    let base = ReadingTests.base
    let broken = [
      base + "tests:\n  - {name: a, nonsense: &x 1}\n", base + "tests: 7\n", base + "users: {a: {b: *c}}\n",
      base + "nonsense: 1\n", base + "tests: []\ntests: []\n", "tests: [\n", "",
      base + "profile: {fields: {sub: {type: text, claim: true}}}\n",
    ]
    for text in try texts() + broken {
      let alone = PolicyFile.read(text, name: "acme.yaml", as: .question)
      let asked = check(text).asked()
      #expect((try? asked.get().policy) == (try? alone.get().policy), "\(text.suffix(60))")
    }
  }

  @Test("a refusal of a text that is asked about has every finding, also those about its tests")
  func refusal() throws {
    let text = ReadingTests.base + "nonsense: 1\ntests:\n  - {name: a, nonsense: 1}\n"
    guard case .failure(let asked) = check(text).asked(),
      case .failure(let read) = PolicyFile.read(text, name: "acme.yaml")
    else {
      Issue.record("it is a policy")
      return
    }
    #expect(asked.diagnostics == read.diagnostics)
    #expect(asked.diagnostics.count == 2)
  }

  @Test("more mistakes in the tests than are kept hide none of the policy")
  func hidden() throws {
    let tests = "tests:\n" + String(repeating: "  - &a 1\n", count: Diagnostics.limit + 1)
    let text = "schema: gatehouse/policy.v1\n" + tests + ReadingTests.base.dropFirst(28) + "app: {name: B}\n"
    #expect(throws: PolicyFileRefusal.self) { try check(text).asked().get() }
  }

  @Test("one parse is told of once")
  func observed() {
    final class Count: @unchecked Sendable { var value = 0 }
    let count = Count()
    Parsing.$observer.withValue({ _ in count.value += 1 }) { _ = check(ReadingTests.base + "nonsense: 1\n").asked() }
    #expect(count.value == 1)
  }
}
