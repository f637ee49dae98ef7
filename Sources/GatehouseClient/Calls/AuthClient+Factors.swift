public import Foundation
import GatehouseWire

extension AuthClient {
  /// The second factors of the person, and how many recovery codes are left.
  public func factors() async throws(AuthError) -> SecondFactors {
    let answer = try await signedIn(ListFactorsEndpoint.self, Nothing()).content
    return SecondFactors(
      items: answer.items.map(SecondFactor.init), recoveryCodesLeft: answer.recoveryCodes.left,
      isRequired: answer.required, due: answer.due?.date, accepted: answer.signal.map(AcceptedPasskeys.init))
  }

  /// Begins to add an authenticator app. Demands a fresh proof (`reauthenticationRequired`). Throws `notFound` where
  /// the policy has no such factor. The app is a factor once `confirmTOTP` has its first code.
  /// - Parameter name: the name of the factor in the list.
  public func startTOTP(name: String? = nil) async throws(AuthError) -> TOTPEnrolment {
    let generation = try await generation()
    let input = StartTOTPEndpoint.Input(name: name)
    // A second beginning takes the place of the first, which was not shown.
    let answer = try await signedIn(StartTOTPEndpoint.self, input, of: generation, mayRepeat: true).content
    guard let uri = URL(string: answer.uri) else { throw await keeper.own(.unknown) }
    return TOTPEnrolment(
      id: answer.enrolmentID, secret: answer.secret, uri: uri, qrSVG: answer.qrSVG,
      expires: configuration.clock.now.addingTimeInterval(TimeInterval(answer.expiresIn)))
  }

  /// Adds an authenticator app by its first code. The code is a proof as well: the session goes on with new tokens, and
  /// a push token is sent again where the server has the session under another id. The first factor comes with recovery
  /// codes, which are shown this once. `codeInvalid` leaves the enrolment as it is.
  ///
  /// A call that had no answer is not sent again: the app may be a factor by then, as `factors()` tells, and where the
  /// session was given another id by the lost answer, the state becomes `signedOut(.revoked)`.
  public func confirmTOTP(_ enrolment: TOTPEnrolment, code: String) async throws(AuthError) -> AddedFactor {
    let generation = try await generation()
    let input = ConfirmTOTPEndpoint.Input(enrolmentID: enrolment.id, code: code)
    let answer = try await join(ConfirmTOTPEndpoint.self, input, of: generation) { $0.session }
    return AddedFactor(factor: SecondFactor(answer.factor), recoveryCodes: answer.recoveryCodes ?? [])
  }

  /// Names a factor; nil takes its name away.
  @discardableResult
  public func renameFactor(_ id: String, to name: String?) async throws(AuthError) -> SecondFactor {
    let input = RenameFactorEndpoint.Input(id: id, name: name)
    return SecondFactor(try await signedIn(RenameFactorEndpoint.self, input, mayRepeat: true).content)
  }

  /// Removes a factor. Demands a fresh proof by a second factor. With the last factor the recovery codes go. A factor
  /// that is gone is no error.
  /// - Parameters:
  ///   - id: of the factor in the list.
  ///   - isLost: whether the person has the device no more: the mail about the removal says so.
  public func removeFactor(_ id: String, isLost: Bool = false) async throws(AuthError) {
    let generation = try await generation()
    let input = RemoveFactorEndpoint.Input(id: id, lost: isLost ? true : nil)
    do throws(AuthError) {
      _ = try await signedIn(RemoveFactorEndpoint.self, input, of: generation)
    } catch {
      guard error.code == .notFound else { throw error }
    }
    await keeper.reloadSoon()
  }

  /// Makes new recovery codes in the place of those before, which are void. They are shown this once. Demands a fresh
  /// proof by a second factor.
  public func makeRecoveryCodes() async throws(AuthError) -> [String] {
    let generation = try await generation()
    return try await signedIn(MakeRecoveryCodesEndpoint.self, Nothing(), of: generation).content.recoveryCodes
  }
}

/// The second factors of a person.
public struct SecondFactors: Sendable, Hashable {
  /// The factors, oldest first.
  public var items: [SecondFactor]
  /// The recovery codes that were not used.
  public var recoveryCodesLeft: Int
  /// Whether the policy demands a factor of the person.
  public var isRequired: Bool
  /// Where it does and the person has none: when access becomes limited.
  public var due: Date?
  /// The account's passkeys, for `PasskeyManager.report(_:)`; nil where the tenant has none, and from earlier servers.
  public var accepted: AcceptedPasskeys?
}

/// A second factor of a person.
public struct SecondFactor: Sendable, Hashable, Identifiable {
  /// The factor's id.
  public var id: String
  /// The kind of the factor.
  public var kind: FactorKind
  /// The name that its owner gave it.
  public var name: String?
  /// The time at which it was added.
  public var createdAt: Date
  /// The time at which it last proved who its owner is.
  public var lastUsedAt: Date?
  /// Of a passkey: whether copies of it are kept elsewhere, as its authenticator says. Nil of other factors.
  public var isSynced: Bool?

  init(_ record: FactorRecord) {
    (id, kind, name) = (record.id, FactorKind(rawValue: record.type), record.name)
    (createdAt, lastUsedAt, isSynced) = (record.createdAt.date, record.lastUsedAt?.date, record.synced)
  }
}

/// An authenticator app that waits for its first code. It holds the app's seed, and lives in memory alone.
public struct TOTPEnrolment: Sendable, Hashable {
  /// Names the enrolment in the next request.
  let id: String
  /// The seed in Base32, for an app that scans nothing.
  public let secret: String
  /// The `otpauth` address with the seed: an app on this device opens it, one on another device scans it as a QR code.
  public let uri: URL
  /// The address as a QR code: an SVG document.
  public let qrSVG: String
  /// The time at which it ends, on the clock of the device.
  public let expires: Date
}

/// A factor that was added.
public struct AddedFactor: Sendable, Hashable {
  /// The factor.
  public let factor: SecondFactor
  /// With the first factor: codes, each of which stands once for a lost factor. Empty otherwise.
  public let recoveryCodes: [String]
}

/// An enrolment holds a seed: it shows nothing.
extension TOTPEnrolment: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "TOTPEnrolment(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The answer to a first factor holds recovery codes: it shows nothing.
extension AddedFactor: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "AddedFactor(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
