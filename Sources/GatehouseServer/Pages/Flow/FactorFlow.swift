import Foundation
import GatehouseIdentity
import GatehousePolicy
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

  /// Why a person who signed in looks at the second factors before the way goes on.
  enum FactorsFirst: String, Codable, Sendable {
    /// A recovery code brought them in: a device may be lost.
    case recovered
    /// They will need a factor that they have not.
    case due
  }

  /// How a person who signed in with a password gets a passkey, by what their browser can.
  enum PasskeyOffer: String, Codable, Sendable {
    /// The browser makes one without a question.
    case silent
    /// The person is asked.
    case open
  }

  /// The change that is asked for to one of the second factors of the account.
  struct FactorChoice: Codable, Sendable, Equatable {
    enum Deed: String, Codable { case rename, remove }

    let deed: Deed
    /// The factor's id.
    let id: String
  }
}

extension Visit {
  /// When the person who signed in will need a second factor that they have not; nil where none is needed, and once
  /// the day is there.
  var factorDue: Date? {
    signedIn.flatMap { policy.factorDue(of: $0.user.facts, at: call.now) }.flatMap { $0 > call.now ? $0 : nil }
  }

  /// Whether the second factors are looked at before the way goes on.
  var looksAtFactors: Bool {
    switch flow.factorsFirst {
    case .recovered: true
    case .due: factorDue != nil
    case nil: false
    }
  }
}
