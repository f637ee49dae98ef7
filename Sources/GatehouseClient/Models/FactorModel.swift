import Foundation

/// A form that takes a code of a second factor, where one is asked for.
@MainActor
public class FactorModel: AuthModel {
  /// The code as it was typed: six digits, or a recovery code.
  @Observed public var factorCode = ""
  /// The factor whose code the form asks for; nil where it asks for none.
  @Observed public internal(set) var askedFactor: FactorKind?
  /// The factors of which one is taken. A view with more than one offers to change: see `ask(for:)`.
  @Observed public internal(set) var offeredFactors: [FactorKind] = []

  /// The factors whose codes a form can take.
  private static let typed: [FactorKind] = [.totp, .recoveryCode]

  override init(_ client: AuthClient) { super.init(client) }

  /// Asks for a code of another factor that is offered: "I have lost the app".
  public func ask(for kind: FactorKind) {
    guard offeredFactors.contains(kind), askedFactor != kind else { return }
    super.show(nil)
    (askedFactor, factorCode) = (kind, "")
  }

  /// Offers the factors that a code can be typed of. One that is asked for stays.
  func offer(_ kinds: [FactorKind]) {
    offeredFactors = kinds.filter(Self.typed.contains)
    if askedFactor.map(offeredFactors.contains) != true { askedFactor = offeredFactors.first }
  }

  /// The code as a proof; nil where none is asked for or typed.
  var factorProof: Reauthentication? {
    guard let askedFactor, !factorCode.isEmpty else { return nil }
    return askedFactor == .recoveryCode ? .recoveryCode(factorCode) : .totp(factorCode)
  }

  /// Gives the typed code as a proof. A code is taken once, so the form forgets it.
  func proveByFactor() async throws(AuthError) {
    guard let factorProof else { return }
    try await client.reauthenticate(factorProof)
    (factorCode, askedFactor) = ("", nil)
  }

  public override func show(_ error: AuthError?) {
    super.show(error)
    guard let error, error.code == .reauthenticationRequired else { return }
    offer(error.methods.map { FactorKind(rawValue: $0.rawValue) })
  }
}
