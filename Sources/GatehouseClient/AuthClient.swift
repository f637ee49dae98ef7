import Foundation

/// The signed-in person of one app on one device.
///
/// A client does no work until it is used: the first reader of `states`, `restored()`, or any call starts it. It may be
/// shared and called from everywhere. An app makes one for each account, and keeps it.
public final class AuthClient: Sendable {
  /// The configuration of the client.
  public let configuration: AuthConfiguration
  let keeper: SessionKeeper
  let board = StateBoard()
  let policies: PolicyCache
  /// Nil where the app has no attestation.
  let desk: AttestDesk?
  /// Reports to the person's passkey manager.
  let reports = Turns()
  private let isStarted = Locked(false)
  private let notices = AppNotices()
  private let presence = AutomaticPresence()

  /// A client. Reads and sends nothing yet.
  public init(_ configuration: AuthConfiguration) {
    self.configuration = configuration
    let keeper = SessionKeeper(configuration, board)
    self.keeper = keeper
    policies = PolicyCache(configuration)
    desk = configuration.attest.map { AttestDesk($0.keys, keeper) }
  }

  /// The current authentication state.
  public var state: AuthState { board.state }

  /// The authentication states: the current one first, then each newer one. A slow reader gets the newest.
  public var states: AsyncStream<AuthState> {
    start()
    return board.states()
  }

  /// The first state that is not `restoring`. A stored session is reported at once, without a network; one that is
  /// `locked` as that.
  public func restored() async -> AuthState {
    for await state in states where state != .restoring { return state }
    return state
  }

  /// The app came to the front: reloads the stored session, which another process of the app may have changed, and
  /// checks it. The client calls this itself on iOS, macOS, tvOS and visionOS; on watchOS and Linux the app does.
  public func foreground() async {
    start()
    await keeper.foreground()
    act(.inFront)
  }

  /// The app left the front: a session with `AuthConfiguration.unlock` locks after its time, and with
  /// `AuthConfiguration.presence` automatic the person is shown as offline. The client calls this itself where it calls
  /// `foreground()`.
  public func background() async {
    start()
    if configuration.presence == .automatic { presence.end(self) }
    await keeper.background()
  }

  /// Asks the owner of the device to open a session that is `locked`: by Face ID, Touch ID or the passcode. A session
  /// that is open asks nothing.
  ///
  /// Throws `cancelled` when the question is closed, `unlockFailed` for another person's proof, and `unlockUnavailable`
  /// where the device has no way to ask. The session stays locked then: the app offers to ask again and to sign out.
  @discardableResult
  public func unlock() async throws(AuthError) -> AuthState {
    start()
    return try await keeper.unlock()
  }

  func start() {
    let isFirst = isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
    guard isFirst else { return }
    let keeper = keeper
    Task { await keeper.restore() }
    notices.observe { [weak self] moment in self?.act(moment) }
  }

  private func act(_ moment: AppMoment) {
    switch moment {
    case .returns:
      let keeper = keeper
      Task { await keeper.foreground() }
    case .inFront where configuration.presence == .automatic: presence.begin(self)
    case .inFront: break
    case .left: Task { await background() }
    }
  }
}

/// A client holds tokens and a person: it shows nothing.
extension AuthClient: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "AuthClient(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
