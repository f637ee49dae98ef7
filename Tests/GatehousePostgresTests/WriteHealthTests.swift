import GatehouseIdentity
import Testing

@testable import GatehousePostgres

@Suite("Whether the database takes writes")
struct WriteHealthTests {
  private var health = WriteHealth()
  private let start = ContinuousClock.now

  private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
  private func refused(_ state: String) -> DatabaseError {
    .server(sqlState: state, constraint: nil, note: PrivateNote(""))
  }

  @Test("a refused write is remembered until one succeeds, however long that takes")
  mutating func remembered() {
    health.note(refused("53100"), at: at(0))
    #expect(health.trouble(at: at(100_000))?.sentence == "the database's disk is full (53100)")
  }

  @Test("a success ends the trouble a minute after the last refusal, for a full disk takes some writes")
  mutating func ended() {
    health.note(refused("53100"), at: at(0))
    health.note(nil, at: at(1))
    #expect(health.trouble(at: at(59)) != nil)
    #expect(health.trouble(at: at(61)) == nil)
  }

  @Test("a restart or a change of the primary is over with the first write", arguments: ["57P01", "25006"])
  func passing(_ state: String) {
    var health = WriteHealth()
    health.note(refused(state), at: at(0))
    #expect(health.trouble(at: at(1)) != nil)
    health.note(nil, at: at(2))
    #expect(health.trouble(at: at(2)) == nil)
  }

  @Test("a refusal after a success begins the trouble anew")
  mutating func again() {
    health.note(refused("53100"), at: at(0))
    health.note(nil, at: at(1))
    health.note(refused("53200"), at: at(50))
    #expect(health.trouble(at: at(200))?.state == "53200")
  }

  @Test(
    "an error of a statement says nothing of the database",
    arguments: ["23505", "40001", "42601", "GH001", "", "5", "53", "57014", "25001", "25P02", "57P05"])
  mutating func statements(_ state: String) {
    health.note(refused(state), at: at(0))
    #expect(health.trouble(at: at(0)) == nil)
  }

  @Test(
    "each class has a sentence, and a state of its own names it",
    arguments: ["25006", "53000", "53100", "57P01", "57P03", "58000", "58030"])
  func sentences(_ state: String) {
    let sentence = WriteTrouble(state: state)?.sentence ?? ""
    #expect(sentence.hasPrefix("the database"))
    #expect(sentence.hasSuffix("(\(state))"))
  }
}
