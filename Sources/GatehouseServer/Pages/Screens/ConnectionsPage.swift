import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The person's accounts at other services.
enum ConnectionsPage: HostedPage {
  static let path = PagePath.connections
  static let audience = PageAudience.session

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    names(user, visit).isEmpty ? nil : visit.words.account.connections
  }

  private enum Intent {
    static let connect = "connect"
    static let disconnect = "disconnect"
  }

  /// The services: those of the policy in its order, then those of before that are connected still.
  static func names(_ user: User, _ visit: Visit) -> [String] {
    let offered = visit.policy.providers.map(\.name).filter { $0 != "password" }
    return offered + user.links.map(\.provider).filter { !offered.contains($0) }
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let user = try await visit.me().user
    let words = visit.words.connections
    let names = names(user, visit)
    let parts = names.flatMap { name in
      part(name, user.links.first { $0.provider == name }, visit)
    }
    return Screen(
      words.heading, of: .connections,
      (names.isEmpty ? [Pieces.empty(.link, words.nothing)] : parts) + Pieces.wayBack(visit))
  }

  private static func part(_ provider: String, _ link: Link?, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.connections
    let name = Label.provider(provider)
    let isBroken = link?.isBroken == true
    func form(_ button: String, _ style: Form.Style, _ intent: String) -> Screen.Piece {
      .form(Form(button: button, style: style, intent: intent, values: [(name: "provider", value: provider)]))
    }
    let state =
      if let link {
        isBroken ? words.broken(visit.app) : words.since(visit.words.moments.day(link.linkedAt))
      } else {
        words.notConnected
      }
    var pieces = [Pieces.part(name, state)]
    if link == nil || isBroken, let described = visit.policy.providers.first(where: { $0.name == provider }) {
      if Connecting.isHere(described, visit) {
        pieces.append(
          form(isBroken ? words.again(name) : visit.words.connect.button(name), .secondary, Intent.connect))
      } else {
        pieces.append(Pieces.text(visit.words.connect.unavailable))
      }
    }
    if link != nil {
      let isNeeded = visit.policy.access.full.contains {
        $0.need == .linked(provider) && $0.enforcement.mode(at: visit.call.now) == .enforce
      }
      if isNeeded {
        pieces.append(Pieces.text(words.needed(visit.app)))
      }
      pieces.append(form(words.disconnect(name), .danger, Intent.disconnect))
    }
    return pieces
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    let name = typed["provider"]
    switch typed.intent {
    case Intent.connect:
      let provider = try visit.provider(named: name)
      // What becomes a way in needs a fresh proof.
      if provider.use == .signIn, !visit.isRecent { return ProofFirst.step(&visit) }
      visit.flow.page = PagePath.connections
      return .page(PagePath.connect + "/" + provider.name)
    default:
      guard visit.isRecent else { return ProofFirst.step(&visit) }
      _ = try await Unlink.run(.init(provider: name), visit.call, visit.services)
      visit.flow.notice = .disconnected
      return .page(PagePath.connections)
    }
  }
}
