import Foundation
public import GatehouseClient
import GatehousePolicy
import GatehouseWire

extension AuthClient {
  /// A client for SwiftUI previews: it shows this state at once, and its calls succeed without a network and without a
  /// file. Any password and any code is right.
  public static func preview(_ state: AuthState) -> AuthClient {
    var settings = FakeServerSettings()
    settings.acceptsEverything = true
    var policy = FakePolicy.standard
    policy.factors = [.totp]
    let server = FakeServer(policy: policy, clock: SystemClock(), settings: settings)
    return AuthClient(server.configuration(), showing: state, tokens: server.adopt(state))
  }
}

extension FakeServer {
  /// Makes the person of a state known, signed in as the state says. Returns the session's tokens.
  fileprivate func adopt(_ state: AuthState) -> PreviewTokens? {
    guard let user = state.user else { return nil }
    let now = clock.now
    var account = FakeUser(
      id: user.id, email: user.email, lastSeen: user.presence.lastSeen ?? now, createdAt: user.createdAt,
      updatedAt: user.updatedAt)
    account.isOnline = user.presence.isOnline
    account.isVerified = user.isEmailVerified
    account.profile = user.profile.mapValues { value in
      switch value {
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let number): .integer(number)
      case .string(let text): .string(text)
      }
    }
    account.links = user.links.map {
      Link(
        provider: $0.provider, scopes: $0.scopes, linkedAt: Timestamp($0.linkedAt), isBroken: $0.isBroken ? true : nil)
    }
    if case .limited(_, let next) = state { account.further = next.map(\.need) }
    let answer = withWorld { world in
      world.now = now
      world.accounts[account.id] = account
      // A sign-in shows the person as online; a preview shows the record as it is.
      defer { world.accounts[account.id] = account }
      return world.open(account, device: nil, at: now, world.admit(account, password: nil, at: now).decision, ["en"])
    }
    return PreviewTokens(
      session: answer.session.id, refreshToken: answer.refreshToken ?? "", accessToken: answer.accessToken,
      expires: now.addingTimeInterval(TimeInterval(answer.expiresIn)), lifetime: answer.expiresIn)
  }
}
