import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The parameters with which an app, or a link, opens the sign-in page. They move into the flow, so that the address
/// bar and the history keep none of them.
struct AppRequest {
  private let query: JSONObject

  /// Nil where an address carries nothing but its flow.
  init?(_ query: String?) throws {
    guard let object = try? QueryReader.read(query, Self.names) else { throw Refusal(.malformedRequest) }
    guard !object.members.isEmpty else { return nil }
    self.query = object
  }

  private static let names: Set<String> = [
    "continue", "state", "code_challenge", "code_challenge_method", "screen", "login_hint", "ui_locales", "prompt",
    "lang",
  ]

  private func text(_ name: String) -> String? { query[name]?.string }

  /// Whether the request begins an app's flow, which is independent of any flow that the browser has.
  var startsFlow: Bool { query["continue"] != nil }

  /// The page that was asked for.
  var page: String? { text("screen") == "sign-up" ? PagePath.signUp : nil }

  /// Changes the flow. Refuses `malformed_request` for anything but an address of the client, byte for byte, with a
  /// state and a challenge: the browser must not be sent on then.
  func change(_ flow: inout Flow, of client: Client, _ policy: Policy) throws {
    if let address = text("continue") {
      // GUARD: pages: the browser goes on to listed addresses only
      guard client.redirects(to: address) else {
        throw wrong("/continue", "none of the addresses that the policy continues to")
      }
      guard let state = text("state"), (1...512).contains(state.utf8.count),
        state.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { throw wrong("/state", "1 to 512 visible ASCII characters") }
      guard let challenge = text("code_challenge").flatMap(CodeChallenge.init(rawValue:)),
        text("code_challenge_method") == "S256"
      else { throw wrong("/code_challenge", "the base64url SHA-256 of a verifier, with the method S256") }
      flow.target = Flow.Target(address: address, state: state, challenge: challenge)
      flow.promptsAgain = text("prompt") == "login" ? true : nil
    }
    if let hint = text("login_hint").flatMap(Flow.kept(email:)) { flow.email = hint }
    let wanted = (text("lang").map { [$0] } ?? []) + (text("ui_locales")?.split(separator: " ").map(String.init) ?? [])
    if let language = Self.language(wanted, policy) { flow.language = language }
  }

  /// The refusal of a wrong parameter, for the app's developer and the log: the reader of the page cannot mend it.
  private func wrong(_ pointer: String, _ what: String) -> Refusal {
    Refusal(.malformedRequest, detail: "\(pointer): \(what)", note: "\(pointer): \(what)")
  }

  /// The first of these languages that the app speaks.
  static func language(_ wanted: [String], _ policy: Policy) -> String? {
    wanted.prefix(10).lazy.compactMap { tag in
      policy.app.locales.first {
        $0.lowercased() == tag.lowercased() || tag.lowercased().hasPrefix($0.lowercased() + "-")
      }
    }.first
  }
}
