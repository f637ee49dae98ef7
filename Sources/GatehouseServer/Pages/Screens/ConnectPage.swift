import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// Connects an account at another service, which the policy asks for or allows.
enum ConnectPage: HostedPage {
  static let path = PagePath.connect + "/{provider}"
  static let audience = PageAudience.session

  static func isThere(_ visit: Visit) -> Bool { (try? provider(visit)) != nil }

  private static func provider(_ visit: Visit) throws -> Provider {
    try visit.provider(named: visit.parameters["provider"] ?? "")
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let provider = try provider(visit)
    let me = try await visit.me()
    let isRequired = me.next.contains("link:" + provider.name)
    let isLinked = visit.signedIn?.user.links.contains { $0.provider == provider.name && $0.state == .linked } == true
    guard isRequired || !isLinked else { return nil }
    let isHere = Connecting.isHere(provider, visit)
    // The app that waits gets its code, and connects the account itself.
    guard isHere || !isRequired || visit.flow.target == nil else { return nil }
    let words = visit.words.connect
    let name = Label.provider(provider.name)
    var pieces: [Screen.Piece] = []
    let lead = isHere ? (isRequired ? words.lead(visit.app) : words.optional(visit.app)) : nil
    if isHere {
      if !provider.scopes.isEmpty { pieces.append(.html(scopes(provider.scopes, words))) }
      pieces.append(.form(Form(button: words.button(name)).leading(to: provider.name, visit)))
    } else {
      pieces.append(Pieces.text(words.unavailable))
      if let address = visit.policy.app.openApp {
        pieces.append(Pieces.button(visit.words.endings.open(visit.app), address))
      }
    }
    if isRequired {
      pieces.append(Pieces.links([(visit.words.endings.signOut, visit.address(PagePath.signOut))]))
    } else {
      pieces.append(.form(Form(button: words.later, style: .plain, intent: "later")))
    }
    pieces += GiveUp.pieces(visit)
    return Screen(words.heading(name), of: .connect, lead: lead, pieces)
  }

  /// The scopes that will be asked for: in words where they are known, else by their technical names.
  private static func scopes(_ scopes: [String], _ words: ConnectWords) -> HTML {
    let known = scopes.compactMap { words.scopes[$0] }
    let unknown = scopes.filter { words.scopes[$0] == nil }
    let list: HTML =
      known.isEmpty
      ? ""
      : """
      <ul class="scopes">
      \(HTML(known.map { "<li>\($0)</li>" }))
      </ul>
      """
    let rest: HTML =
      unknown.isEmpty
      ? ""
      : """
      <details>
      <summary>\(words.technical(unknown.count))</summary>
      <ul class="scopes">
      \(HTML(unknown.map { "<li>\($0)</li>" }))
      </ul>
      </details>
      """
    return "<p>\(words.allow)</p>\n\(list)\n\(rest)"
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if typed.intent == "later" { return .onward() }
    let provider = try provider(visit)
    // What becomes a way in needs a fresh proof.
    if provider.use == .signIn, !visit.isRecent { return ProofFirst.step(&visit) }
    try visit.carry()
    let cookie = BrowserCookie(tenant: visit.call.tenant.name, isSecure: visit.isSecure)
    let token = cookie.token(visit.request)
    let address = try await Links.start(
      at: provider, flow: visit.carried, visit.call.from(browser: token), visit.services)
    return .away(to: address, name: Label.provider(provider.name), cookie: cookie.setting(token))
  }
}

/// Whether an account at a service can be connected on the pages: the service has to send the browser back here.
enum Connecting {
  static func isHere(_ provider: Provider, _ visit: Visit) -> Bool {
    visit.reads.leads(provider, visit.call)
  }

  /// The same of a step that is missing for full access, as the API says it. Other steps have pages always.
  static func isHere(_ step: String, _ visit: Visit) -> Bool {
    guard step.hasPrefix("link:") else { return true }
    return (try? visit.provider(named: String(step.dropFirst(5)))).map { isHere($0, visit) } ?? false
  }
}

extension Visit {
  /// A service of the policy that an account can be connected to. Refuses `not_found` for any other name.
  func provider(named name: String) throws -> Provider {
    let found = policy.providers.first { $0.name != "password" && $0.name.utf8.elementsEqual(name.utf8) }
    guard let found else { throw Refusal(.notFound) }
    return found
  }
}
