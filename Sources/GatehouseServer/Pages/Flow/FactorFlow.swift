import Foundation
import GatehouseIdentity
import GatehousePrimitives

extension Flow {
  /// A sign-in that waits for a second proof.
  struct Challenge: Codable, Sendable, Equatable {
    let id: String
    /// The methods of which one is asked for.
    let factors: [String]
    /// Seconds for which the device can be remembered; nil where it can not.
    let remembers: Int?
    /// When it ends, in seconds.
    let endsAt: Int64

    init(_ challenge: Refusal.Challenge, at now: Date) {
      (id, factors, remembers) = (challenge.id, challenge.factors, challenge.rememberSeconds)
      endsAt = now.wholeSeconds + Int64(challenge.expiresIn)
    }

    func isOver(at now: Date) -> Bool { now.wholeSeconds >= endsAt }
  }

  /// An authenticator app that waits for its first code. It holds the seed, so that after a wrong code the same one is
  /// shown.
  struct Enrolment: Codable, Sendable, Equatable {
    let id: String
    /// The seed in Base32.
    let secret: String
    /// Its account.
    let user: UUID
    /// When it ends, in seconds.
    let endsAt: Int64

    func isOver(at now: Date) -> Bool { now.wholeSeconds >= endsAt }
  }

  /// The change that is asked for to one of the second factors of the account.
  struct FactorChoice: Codable, Sendable, Equatable {
    enum Deed: String, Codable { case rename, remove }

    let deed: Deed
    /// The factor's id.
    let id: String
  }
}
