import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What a family of refresh tokens must do, in its shortest form.
private struct FamilyModel {
  struct Token {
    var text: String
    var spent: (at: Double, key: String?)?
  }

  enum Answer: Equatable {
    /// A successor that is new.
    case exchanged
    /// The successor that was answered before.
    case repeated(String)
    /// The device has newer tokens.
    case overtaken
    case revoked
  }

  private(set) var tokens: [Token]
  private var isOver = false

  init(_ first: String) { tokens = [Token(text: first)] }

  /// What to expect of the token at this place.
  mutating func present(_ place: Int, key: String?, at now: Double, grace: Double) -> Answer {
    guard !isOver else { return .revoked }
    guard let spent = tokens[place].spent else { return .exchanged }
    let isLast = place + 1 < tokens.count && tokens[place + 1].spent == nil
    let (isEarly, isSame) = (now - spent.at < grace, key != nil && key == spent.key)
    if isLast, isEarly || isSame { return .repeated(tokens[place + 1].text) }
    if isSame || isEarly { return .overtaken }
    isOver = true
    return .revoked
  }

  mutating func exchanged(_ place: Int, key: String?, at now: Double, for text: String) {
    tokens[place].spent = (now, key)
    tokens.append(Token(text: text))
  }
}

@Suite("Families of refresh tokens against a model")
struct RefreshModelTests {
  private static let waits: [Double] = [0, 1, 29, 30, 61, 86_400]
  private static let keys: [String?] = ["a", "b", nil]

  @Test("T053 T054 random exchanges, retries and replays are answered as the model says")
  func random() async throws {
    try await ThreeApps.run { apps in
      var generator = SeededGenerator()
      var seen: [FamilyModel.Answer] = []
      for family in 0..<25 {
        let up = try await apps.signUp(.ride, "pat\(family)").json
        var model = FamilyModel(up.refreshToken)
        var now = 0.0
        for step in 0..<12 {
          let wait = Self.waits[Int.random(in: 0..<Self.waits.count, using: &generator)]
          now += wait
          apps.server.clock.advance(seconds: wait)
          if Int.random(in: 0..<4, using: &generator) == 0 { try await apps.server.prune() }
          let place = max(0, model.tokens.count - Int.random(in: 1...10, using: &generator) / 4 - 1)
          let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &generator)]
          let expected = model.present(place, key: key, at: now, grace: 30)
          let answer = try await apps.refresh(.ride, model.tokens[place].text, key: key)
          let label = "family \(family), step \(step), place \(place), seed \(SeededGenerator.seed)"
          switch expected {
          case .exchanged:
            #expect(answer.status == 200 && !model.tokens.map(\.text).contains(answer.json.refreshToken), "\(label)")
            model.exchanged(place, key: key, at: now, for: answer.json.refreshToken)
          case .repeated(let text): #expect(answer.json.refreshToken == text, "\(label)")
          case .overtaken: #expect(answer.code == "conflict", "\(label)")
          case .revoked: #expect(answer.code == "session_revoked", "\(label)")
          }
          seen.append(expected)
        }
      }
      // The sequences reach every kind of answer, or the comparison shows little.
      let repeated = seen.count { if case .repeated = $0 { true } else { false } }
      #expect(repeated > 20 && seen.count { $0 == .exchanged } > 20 && seen.count { $0 == .revoked } > 10)
    }
  }
}
