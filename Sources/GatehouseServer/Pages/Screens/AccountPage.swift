import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The account as its owner sees it, and the ways to change it.
enum AccountPage: HostedPage {
  static let path = PagePath.account
  static let audience = PageAudience.session

  static func screen(_ visit: Visit) async throws -> Screen? {
    let user = try await visit.me().user
    let words = visit.words
    var pieces: [Screen.Piece] =
      person(user, visit) + [Pieces.facts(facts(user, visit)), Pieces.menu(ways(user, visit))]
    if let address = visit.policy.app.openApp {
      pieces.append(Pieces.button(words.endings.open(visit.app), address))
    }
    pieces.append(
      .form(Form(button: words.endings.signOut, style: .secondary, action: visit.relative(PagePath.signOut))))
    pieces.append(Pieces.menu([(words.account.delete, visit.address(PagePath.delete))], isDanger: true))
    return Screen(words.account.heading, of: .account, pieces)
  }

  /// By the name that the profile has, else by the address. An account without both has none.
  private static func person(_ user: User, _ visit: Visit) -> [Screen.Piece] {
    let name = visit.profileFields.name(user.profile) ?? user.email
    return name.map { [Pieces.person($0)] } ?? []
  }

  private static func facts(_ user: User, _ visit: Visit) -> [(name: String, lines: [String])] {
    let words = visit.words
    let email = user.email.map { email in
      user.emailVerified ? [words.account.verified(email)] : [email, words.account.unverified]
    }
    let profile = visit.profileFields
    return (email.map { [(name: words.forms.email, lines: $0)] } ?? [])
      + profile.facts(profile.seen, user.profile)
  }

  private static func ways(_ user: User, _ visit: Visit) -> [(text: String, address: String)] {
    PageTable.all.compactMap { page in
      page.accountRow(user, visit).map { (text: $0, address: visit.address(page.path)) }
    }
  }
}
