public import Foundation
public import GatehouseClient
import GatehouseUI
public import SwiftUI

/// DD Ride from its first screen: GatehouseUI until the person is fully in, then two tabs of the app's own.
public struct RideScreens: View {
  private let client: AuthClient

  /// The screens of this client's person.
  public init(client: AuthClient) { self.client = client }

  /// The client of DD Ride at this server. A stored session opens by Face ID.
  public static func client(server: URL) -> AuthClient {
    var configuration = AuthConfiguration(server: server, tenant: "dd-ride")
    configuration.unlock = .biometrics(reason: "To see your rides")
    return AuthClient(configuration)
  }

  /// The screen of the state.
  public var body: some View {
    AuthView(client: client, redirect: URL(string: "ddride://signed-in")) { user in
      TabView {
        Rides(name: user["name"]?.string ?? user.email ?? "you").tabItem { Label("Rides", systemImage: "car") }
        AccountView(client: client).tabItem { Label("Account", systemImage: "person") }
      }
    }
  }
}

/// The app itself.
private struct Rides: View {
  let name: String

  var body: some View { Text("Rides of \(name)") }
}
