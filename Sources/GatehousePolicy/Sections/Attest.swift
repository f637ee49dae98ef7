/// The doors that open to genuine copies of the app alone, as Apple's App Attest vouches for them.
public struct Attest: Sendable, Hashable {
  /// Where a copy of the app comes from.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
    /// Built and installed by developers.
    case development
    /// TestFlight, the App Store and enterprise distribution.
    case production
  }

  /// The app on Apple platforms.
  public struct IOS: Sendable, Hashable {
    /// The team's identifier, ten characters.
    public var team: String
    /// The app's bundle identifier.
    public var bundle: String
    /// The one environment whose attestations count.
    public var environment: Environment

    /// The whole of it.
    public init(team: String, bundle: String, environment: Environment) {
      self.team = team
      self.bundle = bundle
      self.environment = environment
    }

    /// The App ID: team, full stop, bundle.
    public var appID: String { "\(team).\(bundle)" }
  }

  /// The iOS app whose attestations are accepted.
  public var ios: IOS
  /// `sign_up`, `sign_in` or both, in this order.
  public var doors: [Door]
  /// Where the file says so.
  public let position: SourcePosition

  /// The whole of it.
  public init(ios: IOS, doors: [Door], position: SourcePosition = .none) {
    self.ios = ios
    self.doors = Attest.possible.filter(doors.contains)
    self.position = position
  }

  /// The doors that can demand it.
  public static let possible = [Door.signUp, .signIn]

  /// The name of the refusal in tests of a policy.
  public static let refusal = "attest.required"
}

extension Policy {
  /// Whether a request at this door has to come from an attested app. A sign-in by a provider may turn out to be a
  /// sign-up, so it has to where either door demands that.
  public func demandsAttestation(at door: Door) -> Bool {
    guard let attest else { return false }
    return switch door {
    case .signUp, .signIn: attest.doors.contains(door)
    case .federatedSignUp: !attest.doors.isEmpty
    default: false
    }
  }

  /// The decision on a request at this door without an attestation; nil where none is demanded.
  public func refusedWithoutAttestation(at door: Door) -> Decision? {
    guard demandsAttestation(at: door) else { return nil }
    var decision = Decision()
    decision.allow = false
    let text = Spoken(
      "Please use the app.", "Usa la aplicación.", "Bitte verwenden Sie die App.", "يُرجى استخدام التطبيق."
    ).texts
    decision.violations = [
      Violation(rule: Attest.refusal, pointer: "", params: [:], message: text, sentence: text)
    ]
    return decision
  }
}
