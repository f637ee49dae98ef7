import Foundation
import GatehouseClientTesting
import GatehouseTesting
import Testing

@testable import GatehouseClient

/// The table of states, walked at random: after each event the client stands where the table says.
@Suite("States")
struct StateTests {
  /// What happens to a client.
  enum Event: CaseIterable, Sendable {
    case signIn, hosted, leftPages, signUp, hiddenSignUp, wrongPassword, refresh, reload
    case weather, lostAnswers, gateway, unlimit, limit
    case confirm, revoke, disable, removeRecord, signOut, delete, restart, lockedRestart, foreground, day
  }

  /// Where the table says that the client stands.
  enum Standing: Equatable {
    case out(SignedOutReason)
    case waiting
    case full
    case limited

    var isIn: Bool { self == .full || self == .limited }
  }

  @Test("C01 random sequences of events lead where the table of states says")
  func sequences() async throws {
    // GATEHOUSE_CLIENT_SEQUENCES=10000 walks as many as the client is held to.
    let variable = ProcessInfo.processInfo.environment["GATEHOUSE_CLIENT_SEQUENCES"]
    let wanted = variable.flatMap { Int($0) } ?? 250
    for number in 0..<wanted {
      let failure = try await StateWalk(seed: SeededGenerator.seed &+ UInt64(number)).run()
      if let failure {
        Issue.record("GATEHOUSE_SEED=\(SeededGenerator.seed &+ UInt64(number)): \(failure)")
        return
      }
    }
  }
}
