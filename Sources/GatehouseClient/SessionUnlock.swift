/// Whether the owner of the device has to prove that they are there before a stored session opens.
///
/// A sign-in opens its session itself. A session that the store has from an earlier process is `AuthState.locked` until
/// `AuthClient.unlock()` succeeded, and again when the app was in the background for long enough. Until then neither
/// the person nor a token is given out; calls that need the session wait.
public struct SessionUnlock: Sendable {
  /// The sentence that the system shows beside its question; nil for the client's own, in the person's language.
  public var reason: String?
  /// The time in the background after which the session is locked again.
  public var after: Duration
  /// Asks the owner of the device. Nil: nothing is asked.
  let gate: (any UnlockGate)?

  /// A stored session is open.
  public static let none = SessionUnlock(reason: nil, after: .zero, gate: nil)

  /// Face ID or Touch ID, or the device's passcode where neither is set up or fits. Locked again after a minute in the
  /// background.
  public static let biometrics: SessionUnlock = biometrics(reason: nil)

  /// The same with a reason, another time in the background, or another way to ask. `gate` is the system's own unless
  /// another is given; systems without one keep the session locked until the person signs out.
  public static func biometrics(
    reason: String? = nil, after: Duration = .seconds(60), gate: (any UnlockGate)? = nil
  ) -> SessionUnlock {
    #if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
      SessionUnlock(reason: reason, after: after, gate: gate ?? DeviceOwnerGate())
    #else
      SessionUnlock(reason: reason, after: after, gate: gate ?? NoGate())
    #endif
  }

  /// Whether stored sessions are locked.
  public var isOn: Bool { gate != nil }
}

/// Asks the owner of the device for a proof that they are there.
public protocol UnlockGate: Sendable {
  /// Returns when the owner proved it. `reason` is the sentence beside the question.
  func ask(_ reason: String) async throws(UnlockError)
}

/// The reason for which a session stays locked.
public enum UnlockError: Error, Sendable, Hashable {
  /// The person closed the question, or the system did.
  case cancelled
  /// The proof was not the owner's.
  case failed
  /// The device has neither biometrics nor a passcode.
  case unavailable
}

#if !canImport(LocalAuthentication) || os(tvOS) || os(watchOS)
  /// A system that cannot ask.
  private struct NoGate: UnlockGate {
    func ask(_ reason: String) async throws(UnlockError) { throw .unavailable }
  }
#endif
