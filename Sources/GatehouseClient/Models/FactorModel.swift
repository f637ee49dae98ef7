import Foundation

/// A form that takes a proof by a second factor, where one is asked for: a typed code, or a passkey.
@MainActor
public class FactorModel: AuthModel {
  /// The code as it was typed: six digits, or a recovery code.
  @Observed public var factorCode = ""
  /// The factor that the form asks for; nil where it asks for none. For a passkey nothing is typed: the form's button
  /// asks the system.
  @Observed public internal(set) var askedFactor: FactorKind?
  /// The factors of which one is taken. A view with more than one offers to change: see `ask(for:)`.
  @Observed public internal(set) var offeredFactors: [FactorKind] = []

  override init(_ client: AuthClient) { super.init(client) }

  /// The passkeys that the person has at hand; nil where there are none here.
  var passkeys: (any PasskeyManager)? { client.passkeys }

  /// Asks for another factor that is offered: "I have lost the app".
  public func ask(for kind: FactorKind) {
    guard offeredFactors.contains(kind), askedFactor != kind else { return }
    super.show(nil)
    (askedFactor, factorCode) = (kind, "")
  }

  /// Offers the factors that the form can take. One that is asked for stays.
  func offer(_ kinds: [FactorKind]) {
    let taken: [FactorKind] = passkeys == nil ? [.totp, .recoveryCode] : [.totp, .passkey, .recoveryCode]
    offeredFactors = kinds.filter(taken.contains)
    if askedFactor.map(offeredFactors.contains) != true { askedFactor = offeredFactors.first }
  }

  /// The code as a proof; nil where none is asked for or typed.
  var factorProof: Reauthentication? {
    guard let askedFactor, askedFactor != .passkey, !factorCode.isEmpty else { return nil }
    return askedFactor == .recoveryCode ? .recoveryCode(factorCode) : .totp(factorCode)
  }

  /// Gives the proof that is asked for. A code is taken once, so the form forgets it. Returns whether one was given.
  @discardableResult
  func proveByFactor() async throws(AuthError) -> Bool {
    if askedFactor == .passkey {
      try await proveByPasskey()
    } else if let factorProof {
      try await client.reauthenticate(factorProof)
    } else {
      return false
    }
    (factorCode, askedFactor) = ("", nil)
    return true
  }

  /// Lets the person use a passkey as a fresh proof. Each try has options of its own.
  func proveByPasskey() async throws(AuthError) {
    let client = client
    guard let passkeys, let request = try await client.startReauthentication().passkey else {
      throw await client.keeper.own(.passkeysUnavailable)
    }
    try await client.reauthenticate(passkey: try await passkeys.use(request), for: request)
  }

  public override func show(_ error: AuthError?) {
    super.show(error)
    guard let error, error.code == .reauthenticationRequired else { return }
    offer(error.methods.map { FactorKind(rawValue: $0.rawValue) })
  }
}
