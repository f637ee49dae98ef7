import Foundation
import GatehouseClient
import ExampleTerminal

/// messAI: a messaging app. A person is in at once, and sees who of the others is online.
@main
struct MessAI {
  /// A record as the app's screens use it.
  struct User: Decodable {
    let id: String
    let displayName: String
    let photoURL: URL?
    let isOnline: Bool?
    let lastSeen: Date?
  }

  static func main() async {
    await ExampleApp(
      name: "messAI", tenant: "messai", scheme: "messai", profile: ["display-name": "displayName"],
      commands: [people, presence("online"), presence("offline"), push]
    ) { state in
      switch state {
      case .restoring, .locked: "Starting …"
      case .signedOut(let reason): signedOut("Signed out.", reason)
      case .awaitingEmail(let email): "A mail is on its way to \(email)."
      case .limited(let user, let next):
        "\(user.email ?? user.id) needs \(next.map(\.description).joined(separator: ", "))."
      case .signedIn(let user): "Signed in as \(name(of: user)) (\(user.id))."
      }
    }.main()
  }

  private static func name(of user: AuthUser) -> String { user["displayName"]?.string ?? user.email ?? user.id }

  private static let people = ExampleApp.Command("people ID …", "others of the app, as a chat shows them") {
    terminal, arguments in
    for person in try await terminal.client.users(Array(arguments.words.dropFirst())) {
      let user = try person.decode(User.self)
      terminal.say("\(user.displayName): \(user.isOnline == true ? "online" : "offline")")
    }
  }

  private static func presence(_ word: String) -> ExampleApp.Command {
    ExampleApp.Command(word, "shows the person as \(word)") { terminal, _ in
      try await terminal.client.setPresence(online: word == "online")
      terminal.say("Shown as \(word).")
    }
  }

  private static let push = ExampleApp.Command("push TOKEN", "registers this device for notifications") {
    terminal, arguments in
    try await terminal.client.setPushToken(try arguments.word(0, "The token"), platform: .fcm)
    terminal.say("Notifications come to this device.")
  }
}
