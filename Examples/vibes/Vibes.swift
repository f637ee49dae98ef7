import Foundation
import GatehouseClient
import ExampleTerminal

/// vibes: a music app. A person is fully in when Spotify is linked.
@main
struct Vibes {
  /// Where Spotify sends the person back to: the app's own address.
  private static let callback = URL(string: "vibes://spotify-callback")

  static func main() async {
    await ExampleApp(
      name: "vibes", tenant: "vibes", scheme: "vibes",
      sentences: [.providerNotLinked: "Please connect your Spotify account"], profile: ["username": "username"],
      commands: [google, link, unlink, spotify]
    ) { state in
      switch state {
      case .restoring, .locked: "Starting …"
      case .signedOut(let reason): signedOut("Not authenticated.", reason)
      case .awaitingEmail(let email): "A mail is on its way to \(email)."
      case .limited(let user, let next): "Authenticated as \(name(of: user)). \(wish(next))"
      case .signedIn(let user): "Fully authenticated as \(name(of: user))."
      }
    }.main()
  }

  private static func name(of user: AuthUser) -> String { user["username"]?.string ?? user.email ?? user.id }

  private static func wish(_ next: [AuthStep]) -> String {
    switch next.first {
    case .link("spotify"): "Please connect your Spotify account"
    case .profile("username"): "Please choose a username"
    case let step: step?.message ?? step?.need ?? ""
    }
  }

  private static let google = ExampleApp.Command(
    "google ID_TOKEN [--nonce …] [--username …]", "signs in with the token of Google's own library"
  ) { terminal, arguments in
    let profile: Profile = arguments["username"].map { ["username": .string($0)] } ?? [:]
    terminal.show(
      try await terminal.client.signIn(
        with: "google", idToken: try arguments.word(0, "The ID token"), nonce: arguments["nonce"], profile: profile))
  }

  private static let link = ExampleApp.Command("link", "begins to link Spotify: the page to open") { terminal, _ in
    let flow = try await terminal.client.startLink("spotify", redirect: callback)
    terminal.say(flow.url.absoluteString)
  }

  private static let unlink = ExampleApp.Command("unlink", "gives Spotify back") { terminal, arguments in
    let password = try terminal.password(arguments)
    terminal.show(try await terminal.client.unlink("spotify", proof: .password(password)))
  }

  private static let spotify = ExampleApp.Command("spotify", "asks for a token of Spotify's, as the player does") {
    terminal, _ in
    let token = try await terminal.client.providerToken("spotify")
    terminal.say("Spotify lends a token for \(token.scopes.count) scopes.")
  }
}
