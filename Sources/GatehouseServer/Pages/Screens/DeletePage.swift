import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// Deletes the account for good, by its password; without one, or with second factors, by a proof of a moment ago.
enum DeletePage: HostedPage {
  static let path = PagePath.delete
  static let audience = PageAudience.session
  static let problemFields: [ErrorCode: String] = [.invalidCredentials: "password"]

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard let user = visit.signedIn?.user else { return nil }
    let words = visit.words.delete
    let pieces: [Screen.Piece]
    if visit.provesByPassword {
      pieces = [
        Pieces.text(words.warning(user.reference)),
        .form(Form(fields: visit.passwordFields.current(of: user.email), button: words.button, style: .danger)),
      ]
    } else {
      let form = [Screen.Piece.form(Form(button: words.button, style: .danger))]
      pieces = [Pieces.text(words.plainWarning(user.reference))] + (visit.isRecent ? form : ProofFirst.pieces(visit))
    }
    return Screen(
      words.heading, of: .delete, pieces + [Pieces.links([(words.keep, visit.address(PagePath.account))])])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if visit.provesByPassword {
      // GUARD: pages: a password that was not typed is no attempt
      guard !typed["password"].isEmpty else { throw Refusal(.reauthenticationRequired) }
    } else if typed.intent == ProofFirst.intent || !visit.isRecent {
      return ProofFirst.step(&visit)
    }
    let password = visit.provesByPassword ? typed["password"] : nil
    _ = try await Me.delete(.init(password: password), visit.call, visit.services)
    visit.leaveSession()
    // The flow goes with the account that it was for.
    visit.flow.email = nil
    visit.flow.page = nil
    visit.flow.notice = .accountDeleted
    return .page(PagePath.signedOut)
  }
}
