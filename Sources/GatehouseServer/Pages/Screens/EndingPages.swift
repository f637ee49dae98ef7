import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The last page on the way to an app, for addresses that a click has to open.
enum ContinuePage: HostedPage {
  static let path = PagePath.proceed
  static let audience = PageAudience.session

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.flow.target != nil, visit.flow.promptsAgain != true else { return nil }
    let next = try await visit.me().next
    guard case .leave = visit.stop(after: next) else { return nil }
    let words = visit.words.endings
    return Screen(
      words.signedIn, of: .continue, lead: words.signedInText(visit.client.name), isDone: true,
      [.form(Form(button: words.open(visit.client.name)))])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard visit.flow.promptsAgain != true else { return .onward() }
    let next = try await visit.me().next
    guard case .leave(let target) = visit.stop(after: next) else { return .onward(next: next) }
    return .finished(try await visit.leave(to: target))
  }
}

/// Ends the session of the browser.
enum SignOutPage: HostedPage {
  static let path = PagePath.signOut
  static let audience = PageAudience.session
  static let endsSession = true

  static func screen(_ visit: Visit) async throws -> Screen? {
    let words = visit.words.endings
    return Screen(
      words.signOutQuestion(visit.app), of: .signOut,
      [
        .form(Form(button: words.signOut)),
        Pieces.links([(words.stay, visit.address(PagePath.account))]),
      ])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    _ = try await SignOut.run(.init(), visit.call, visit.services)
    visit.leaveSession()
    return .page(PagePath.signedOut)
  }
}

/// Where a person is after sign-out.
enum SignedOutPage: HostedPage {
  static let path = PagePath.signedOut
  static let audience = PageAudience.anyone

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.signedIn == nil else { return nil }
    let words = visit.words.endings
    let isDeleted = visit.flow.notice == .accountDeleted
    let way =
      isDeleted
      ? (visit.words.signIn.create, visit.address(PagePath.signUp))
      : (words.signInAgain, visit.address(PagePath.signIn))
    return Screen(
      isDeleted ? visit.words.delete.deleted : words.signedOut, of: isDeleted ? nil : .signedOut,
      lead: words.signedOutText, isDone: true, [Pieces.links([way])])
  }
}
