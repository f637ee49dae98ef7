#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
  import LocalAuthentication

  /// Asks by Face ID, Touch ID or a watch, and by the device's passcode where these are not set up or do not fit.
  ///
  /// An app that uses it names its reason for Face ID in its `Info.plist` (`NSFaceIDUsageDescription`). Without that
  /// entry the system asks for the passcode alone.
  public struct DeviceOwnerGate: UnlockGate {
    /// The system's question.
    public init() {}

    /// Asks once. Each question is a new one: an earlier proof does not count.
    public func ask(_ reason: String) async throws(UnlockError) {
      let context = LAContext()
      guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else { throw .unavailable }
      let isOwner: Bool
      do {
        isOwner = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
      } catch {
        throw Self.outcome(error)
      }
      guard isOwner else { throw .failed }
    }

    private static func outcome(_ error: any Error) -> UnlockError {
      switch (error as? LAError)?.code {
      case .userCancel, .appCancel, .systemCancel, .notInteractive: .cancelled
      case .passcodeNotSet: .unavailable
      default: .failed
      }
    }
  }
#endif
