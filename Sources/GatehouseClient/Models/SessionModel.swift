import Foundation
import GatehousePolicy

/// The state of the client for views: what the app's first view switches on.
@MainActor
public final class SessionModel: AuthModel {
  /// The authentication state of the person.
  @Observed public private(set) var state: AuthState
  /// The rules that the person's values break, and that do not refuse yet: a row each, with the day from which it does.
  @Observed public private(set) var advice: [AuthWarning]
  /// The steps that the policy offers the person.
  @Observed public private(set) var offers: [AuthOffer]
  /// The tenant's policy, as kept, or once `load()` has it: the app's name and look.
  @Observed public internal(set) var policy: AuthPolicy?
  private let follower = TaskHolder()

  /// Follows the client until the model goes.
  public override init(_ client: AuthClient) {
    (state, advice, policy) = (client.state, client.warnings, client.policies.kept?.policy)
    offers = client.offers
    super.init(client)
    let states = client.states
    follower.hold(
      Task { [weak self] in
        for await state in states {
          guard let self else { return }
          self.take(state)
        }
      })
  }

  /// The signed-in person, with limited or full access.
  public var user: AuthUser? { state.user }
  /// Whether the store was not read yet.
  public var isRestoring: Bool { state == .restoring }
  /// Whether the owner of the device has to open the session: the view offers `unlock()` and `signOut()`.
  public var isLocked: Bool { state == .locked }
  /// The sentence for a person who was signed out, above the form that signs in; nil where there is nothing to say.
  public var signedOutMessage: String? {
    guard case .signedOut(let reason) = state else { return nil }
    return client.sentence(for: reason)
  }
  /// The steps that are missing for full access.
  public var next: [AuthStep] { if case .limited(_, let next) = state { next } else { [] } }

  /// A provider's account that may be linked, or is.
  public struct Connection: Sendable, Hashable, Identifiable {
    /// The provider's name in the policy.
    public var provider: String
    /// The link; nil where there is none.
    public var link: ProviderLink?
    /// The name that people know the provider by: `Spotify`.
    public var title: String { GatehousePolicy.Label.provider(provider) }
    /// The provider.
    public var id: String { provider }
  }

  /// The accounts at providers: those that the policy knows, and then links to providers that it knows no more. A
  /// provider for sign-in stands here once its account is linked.
  public var connections: [Connection] {
    let links = user?.links ?? []
    let known = (policy?.providers ?? []).map { provider in
      (provider, Connection(provider: provider.name, link: links.first { $0.provider == provider.name }))
    }
    let listed = known.filter { !$0.0.isForSignIn || $0.1.link != nil }.map(\.1)
    let names = Set(known.map(\.0.name))
    return listed + links.filter { !names.contains($0.provider) }.map { Connection(provider: $0.provider, link: $0) }
  }

  /// Asks the owner of the device to open the session. A question that was closed says nothing, and may be asked again.
  @discardableResult
  public func unlock() async -> Bool {
    let client = client
    let isOpen = await work { () async throws(AuthError) in _ = try await client.unlock() }
    take(client.state)
    return isOpen
  }

  /// Gets the policy. Without a network the one before stays.
  public func load() async { policy = (try? await client.policy()) ?? policy }

  /// Signs out here, at once.
  public func signOut() async {
    await client.signOut()
    take(client.state)
  }

  /// Asks the server where the person stands.
  @discardableResult
  public func reload() async -> Bool {
    let client = client
    return await work { () async throws(AuthError) in _ = try await client.reload() }
  }

  private func take(_ state: AuthState) {
    if state != self.state { self.state = state }
    if client.warnings != advice { advice = client.warnings }
    if client.offers != offers { offers = client.offers }
  }
}
