import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A person and a guesser act in any order. The audit log tells a second proof of each session that was opened while
/// the account had a factor, and of no other one.
@Suite("Walks through sign-ins with second factors")
struct SecondProofWalkTests {
  private enum Act: CaseIterable {
    case password, right, wrong, recovery, used, enrol, remove, wait
  }

  /// The state of a walk as the person knows it.
  private struct Walk {
    let scene: FactorScene
    var random: SeededGenerator
    var phone: FactorScene.PhoneApp?
    var codes: [String] = []
    var challenge = ""
    var former = ""
    var device: String?
    var opened = 0

    mutating func take() async throws {
      switch Act.allCases.randomElement(using: &random) ?? .wait {
      case .password: _ = try await password()
      case .right: _ = try await verify(challenge, totp: digits())
      case .wrong: _ = try await verify(challenge, totp: phone.map(scene.wrong) ?? "000000")
      case .recovery: _ = try await verify(challenge, recovery: codes.popLast() ?? "0000-0000")
      case .used: _ = try await verify(former, totp: digits())
      case .enrol where phone == nil:
        guard let token = try await password() else { return }
        let added = try await scene.enrol(token)
        (phone, codes) = (added, added.recoveryCodes)
      case .enrol: _ = try await password(onNew: true)
      case .remove:
        guard let phone, try await password(onNew: true) == nil,
          let token = try await verify(challenge, totp: digits())
        else { return }
        if try await scene.remove(phone, token).status == 204 { (self.phone, codes) = (nil, []) }
      case .wait: scene.clock.advance(seconds: [30, 299, 400, 31 * 86_400].randomElement(using: &random) ?? 30)
      }
    }

    private func digits() -> String {
      scene.nextStep()
      return phone.map { scene.code($0) } ?? "000000"
    }

    /// The password, on the device of before or on none: the token of a session, or nil where a challenge waits.
    private mutating func password(onNew: Bool = false) async throws -> String? {
      let known = !onNew && Bool.random(using: &random) ? device : nil
      let answer = try await scene.signIn(device: known)
      if answer.code == "mfa_required" { (former, challenge) = (challenge, answer.challenge) }
      return took(answer)
    }

    private mutating func verify(_ challenge: String, totp: String? = nil, recovery: String? = nil) async throws
      -> String?
    {
      let remember = Bool.random(using: &random)
      return took(try await scene.verify(challenge, totp: totp, recovery: recovery, remember: remember))
    }

    private mutating func took(_ answer: TestClient.Answer) -> String? {
      guard answer.status == 200 else { return nil }
      opened += 1
      device = answer.json.device
      return answer.json.accessToken
    }
  }

  /// The sessions that the log tells, from the oldest on: whether the account had a factor then, and the second proof.
  private func told(_ scene: FactorScene) async throws -> [(hadFactor: Bool, second: String?)] {
    let person = try await scene.stored().id
    let rows = try await scene.store().audit(AuditQuery(user: person), limit: 1000).reversed()
    let successes = Dictionary(
      rows.filter { $0.event == .signInSucceeded }.map { ($0.requestID ?? "", $0.details["second"]) }
    ) { first, _ in first }
    var hasFactor = false
    var sessions: [(hadFactor: Bool, second: String?)] = []
    for row in rows {
      switch row.event {
      case .factorAdded: hasFactor = true
      case .factorRemoved: hasFactor = false
      case .sessionCreated: sessions.append((hasFactor, successes[row.requestID ?? ""] ?? nil))
      default: break
      }
    }
    return sessions
  }

  @Test("M02 each session of a walk has the second proof in the audit log that its account owed", arguments: 0..<4)
  func walk(_ number: UInt64) async throws {
    try await FactorScene.run { scene in
      var walk = Walk(scene: scene, random: SeededGenerator(seed: SeededGenerator.seed &+ number))
      for _ in 0..<60 { try await walk.take() }
      let sessions = try await told(scene)
      let odd = sessions.filter { $0.hadFactor != ($0.second != nil) }
      #expect(odd.isEmpty, "\(odd)")
      #expect(sessions.count == walk.opened + 1, "the log tells each session, and the one of the sign-up")
      let proven = sessions.filter { $0.second != nil }
      #expect(!proven.isEmpty, "the walk came by a second step")
    }
  }
}
