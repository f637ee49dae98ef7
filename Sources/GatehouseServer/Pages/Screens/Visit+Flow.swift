import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The values that a visit leaves in the flow for the pages after it.
extension Visit {
  /// Keeps what was typed into a form of ours that came without a session.
  mutating func keepDraft(_ typed: Typed) {
    // An answer of a passkey is good for the session that is over.
    let values = typed.open.filter { !PasskeyUse.Field.names.contains($0.key) }
    guard isOurs, values.keys.contains(where: { $0 != "do" }) else { return }
    flow.draft = Flow.Draft(page: path, values: values)
  }

  /// The values that were typed at this page before the sign-in. They are filled in once.
  mutating func takeDraft() -> Typed? {
    guard let draft = flow.draft, draft.page == path else { return nil }
    flow.draft = nil
    return Typed(draft.values)
  }

  /// The step after a sign-in with a password. On a remembered device that is no fresh proof of a person with second
  /// factors: what an app asked for is still to be proven then.
  func step(after session: PageSession) -> Step {
    flow.promptsAgain == true ? .page(PagePath.reauthenticate) : .onward(next: session.next)
  }

  /// The answer to a sign-in that waits for a second proof: the page that asks for it. Where no page asks for one of
  /// the factors, a screen says so, with the way to another sign-in.
  mutating func wait(for challenge: Refusal.Challenge) throws -> Answer {
    flow.challenge = Flow.Challenge(challenge, at: call.now)
    flow.byRecoveryCode = nil
    if let page = PageTable.page(asking: challenge.factors) { return try going(to: page.path) }
    try carry()
    let code = ErrorCode.mfaRequired
    var screen = Screen.refusal(code, words.errors.page(code, reference: ""), of: policy.app, words)
    screen.pieces.append(Pieces.links([(words.signIn.other, address(PagePath.signIn))]))
    return finish(PageFrame(call).answer(screen))
  }

  /// The address that was typed is not typed again on the next page.
  mutating func remember(email: String) { flow.email = Flow.kept(email: TypedText.trimmed(email)) }

  /// The account of the signed-in person is to move to this address, once its code is typed.
  mutating func move(to email: String) {
    flow.newEmail = Flow.kept(email: TypedText.trimmed(email))
    flow.mover = signedIn?.user.id.uuid
  }

  /// The next page tells what went wrong elsewhere.
  mutating func tell(_ refusal: Refusal) {
    var sentences = refusal.problems(words, call).map(\.message)
    if !refusal.missing.isEmpty { sentences.append(refusal.missing.joined(separator: ", ")) }
    flow.trouble = Flow.kept(trouble: sentences.joined(separator: " "))
  }
}
