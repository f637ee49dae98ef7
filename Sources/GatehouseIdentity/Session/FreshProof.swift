// What proves that an account's owner is there now, for the doors that a token alone does not open.

package import GatehousePolicy
import GatehouseWire

/// A way to a fresh proof: when it is open, which members of a request it takes, and how they prove.
package struct FreshWay: Sendable {
  typealias Input = ReauthenticateEndpoint.Input

  /// The name, as a refusal gives it.
  package let name: String
  /// The members of the request that it needs.
  let members: Set<String>
  /// Whether it is a second factor.
  var isSecond = false
  /// Members that may be left out.
  var optional: Set<String> = []
  let isOpen: @Sendable (StoredUser, Call, Services) -> Bool
  let prove: @Sendable (Input, SignedIn, Call, Services) async throws -> FreshProof

  /// Every way, in the order in which they are offered.
  package static let all: [FreshWay] = [.totp, .passkey, .recoveryCode, .password, .provider, .code]

  /// The way whose members are given. Refuses `malformed_request` where that is none.
  static func asked(by input: Input) throws -> FreshWay {
    let given = input.given
    let way = all.first { $0.members.isSubset(of: given) && given.isSubset(of: $0.members.union($0.optional)) }
    guard let way else {
      throw Refusal.malformed(
        "",
        "give one of \"password\", \"code\", \"totp\" and \"recovery_code\", or \"passkey\" and \"challenge_id\", or "
          + "\"provider\", \"id_token\" and \"nonce\""
      )
    }
    return way
  }
}

extension FreshWay: Equatable {
  package static func == (one: FreshWay, other: FreshWay) -> Bool { one.name == other.name }
}

/// A fresh proof, and the ID token, the mailed code or the factor that carried it.
struct FreshProof {
  var proofs: Proofs
  /// The use of a factor, and the counters of the try.
  var using: [Change] = []
  var counted: [Change] = []
  var token: (exchange: ProviderExchange, taking: [Change])?
  var code: Redeemed?
}

extension StoredUser {
  /// Whether a sign-in at the provider is a fresh proof: it says whether its user was there, or no code can be mailed.
  package func provesItself(at provider: Provider, _ call: Call, _ services: Services) -> Bool {
    guard provider.use == .signIn, links.contains(where: { $0.provider == provider.name }),
      let exchange = try? ProviderExchange(provider, call, services)
    else { return false }
    return exchange.description.sendsAuthTime || emailVerifiedAt == nil
  }
}
