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
  let policies = PolicyCache()
  private let isStarted = Locked(false)
  private let notices: ForegroundNotices

  /// A client. Reads and sends nothing yet.
  public init(_ configuration: AuthConfiguration) {
    self.configuration = configuration
    keeper = SessionKeeper(configuration, board)
    notices = ForegroundNotices()
  }

  /// The current authentication state.
  public var state: AuthState { board.state }

  /// The authentication states: the current one first, then each newer one. A slow reader gets the newest.
  public var states: AsyncStream<AuthState> {
    start()
    return board.states()
  }

  /// The first state that is not `restoring`. A stored session is reported at once, without a network.
  public func restored() async -> AuthState {
    for await state in states where state != .restoring { return state }
    return state
  }

  /// Reloads the stored session, which another process of the app may have changed, and checks it. On Apple's systems
  /// the client calls this itself when the app comes to the front.
  public func foreground() async {
    start()
    await keeper.foreground()
  }

  func start() {
    let isFirst = isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
    guard isFirst else { return }
    let keeper = keeper
    Task { await keeper.restore() }
    notices.observe { Task { await keeper.foreground() } }
  }
}

/// A client holds tokens and a person: it shows nothing.
extension AuthClient: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "AuthClient(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
