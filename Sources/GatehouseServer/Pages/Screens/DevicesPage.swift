import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// Where the person is signed in.
enum DevicesPage: HostedPage {
  static let path = PagePath.devices
  static let audience = PageAudience.session

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    visit.words.account.devices
  }

  private enum Intent {
    static let end = "end"
    static let others = "others"
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let sessions = try await visit.reads.sessions(visit.call)
    let words = visit.words.devices
    let others = sessions.filter { !$0.current }
    var pieces = [Pieces.text(others.isEmpty ? words.alone : words.lead)]
    if !others.isEmpty {
      pieces.append(.form(Form(button: words.others, style: .danger, intent: Intent.others)))
    }
    for session in sessions.filter(\.current) + others {
      let name = session.device.name.map(words.named) ?? words.unknown
      // Our words come first: they say which way the line runs.
      let used: HTML =
        session.current
        ? "\(words.current)" : "\(words.lastUsed) \(visit.words.moments.element(session.lastSeenAt))"
      let place: HTML = session.place.map { " · <bdi>\($0)</bdi>" } ?? ""
      pieces.append(Pieces.part(name, "\(used)\(place)" as HTML, icon: Icon(device: session.device.name ?? "")))
      if !session.current {
        pieces.append(
          .form(
            Form(
              button: words.signOut, style: .secondary, intent: Intent.end, label: name,
              values: [(name: "session", value: session.id)])))
      }
    }
    if !others.isEmpty, visit.policy.hasPassword {
      let heading = visit.hasPassword ? visit.words.password.heading : visit.words.account.setPassword
      pieces.append(Pieces.links([(heading, visit.address(PagePath.password))]))
    }
    return Screen(words.heading, of: .devices, pieces + Pieces.wayBack(visit))
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    switch typed.intent {
    case Intent.others:
      _ = try await SignOut.run(.init(scope: "others"), visit.call, visit.services)
      visit.flow.notice = .signedOutOthers
    default:
      _ = try await EndSession.run(.init(id: typed["session"]), visit.call, visit.services)
      visit.flow.notice = .signedOutDevice
    }
    return .page(PagePath.devices)
  }
}
