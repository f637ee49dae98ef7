import Foundation
import GatehouseClient
import ExampleTerminal

/// DD Ride: safe rides for a university. An address has to be verified before a person rides.
@main
struct DDRide {
  /// The record as the app's screens use it.
  struct Rider: Decodable {
    let id: String
    let name: String
    let email: String
    let phoneNumber: String
    let role: String
    let classYear: Int
    let chapterId: String
    let isEmailVerified: Bool
  }

  static func main() async {
    await ExampleApp(
      name: "DD Ride", tenant: "dd-ride", scheme: "ddride", profile: ["name": "name", "phone": "phoneNumber"],
      commands: [rider]
    ) { state in
      switch state {
      case .restoring, .locked: "Starting …"
      case .signedOut(let reason): signedOut("Signed out.", reason)
      case .awaitingEmail(let email): "A mail is on its way to \(email)."
      case .limited(let user, let next) where next.first == .verifyEmail:
        "Email not verified: \(user.email ?? "–"). Enter the code of the mail, or open its link."
      case .limited(let user, let next):
        "\(user.email ?? user.id) needs \(next.map(\.description).joined(separator: ", "))."
      case .signedIn(let user): "Signed in as \(user["name"]?.string ?? user.email ?? user.id) (\(user.email ?? "–"))."
      }
    }.main()
  }

  private static let rider = ExampleApp.Command("rider", "the record as the app's own type") { terminal, _ in
    let state = try await terminal.client.reload()
    guard let rider = try state.user?.decode(Rider.self) else { return terminal.show(state) }
    terminal.say("\(rider.name), \(rider.phoneNumber), \(rider.role), class year \(rider.classYear)")
  }
}
