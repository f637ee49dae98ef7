import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// One of the three apps, for what must hold in each of them.
enum App: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case messai
  case ride = "dd-ride"
  case vibes

  /// As mails call it.
  var name: String {
    switch self {
    case .messai: "messAI"
    case .ride: "DD Ride"
    case .vibes: "vibes"
    }
  }

  var testDescription: String { name }

  /// A password that its policy takes today and later.
  static let password = "Kq7!vmTz9"
  static let otherPassword = "Nw5?bcRx2"

  /// An address that its policy takes.
  func email(_ local: String = "pat") -> String { self == .ride ? "\(local)@ksu.edu" : "\(local)@example.com" }

  /// A profile that its policy takes, as JSON.
  func profile(_ name: String = "pat") -> String {
    switch self {
    case .messai: #"{"displayName":"\#(name)"}"#
    case .ride: #"{"name":"\#(name)","phoneNumber":"785-555-0123"}"#
    case .vibes: #"{"username":"\#(name)"}"#
    }
  }

  /// The body of a sign-up.
  func signUp(_ local: String = "pat", password: String = password) -> String {
    #"{"email":"\#(email(local))","password":"\#(password)","profile":\#(profile(local))}"#
  }

  /// The body of a sign-in.
  func signIn(_ local: String = "pat", password: String = password) -> String {
    #"{"email":"\#(email(local))","password":"\#(password)"}"#
  }

  /// What it says of a wrong address or password.
  var wrongCredentials: String { self == .vibes ? "Invalid email or password" : "Invalid email or password." }

  /// Access and next steps of a user who has just signed up, and of the same person with a proven address.
  var standing: (new: [String], verified: [String]) {
    switch self {
    case .messai: ([], [])
    case .ride: (["verify_email"], [])
    case .vibes: (["link:spotify"], ["link:spotify"])
    }
  }
}

extension ThreeApps {
  func client(_ app: App) -> TestClient {
    switch app {
    case .messai: messai
    case .ride: ride
    case .vibes: vibes
    }
  }

  func signUp(_ app: App, _ local: String = "pat", password: String = App.password) async throws -> TestClient.Answer {
    try await client(app).post("/v1/sign-up", app.signUp(local, password: password))
  }

  func signIn(_ app: App, _ local: String = "pat", password: String = App.password) async throws -> TestClient.Answer {
    try await client(app).post("/v1/sign-in", app.signIn(local, password: password))
  }

  func refresh(_ app: App, _ token: String) async throws -> TestClient.Answer {
    try await client(app).post("/v1/token", #"{"refresh_token":"\#(token)"}"#)
  }

  func me(_ app: App, _ token: String) async throws -> TestClient.Answer {
    try await client(app).get("/v1/me", token: token)
  }

  /// A call as the command line makes it.
  func operatorCall(_ app: App) async throws -> Call {
    let record = try await Tenants.find(app.rawValue, server.services)
    return Call(
      tenant: try await Tenants.snapshot(record, server.services), requestID: "test", address: nil, languages: [],
      now: server.clock.now)
  }

  /// What an operator asks for at the command line.
  var asOperator: OperatorCall { server.asOperator }

  static let author = Author(.operator("test"), name: "test", reason: "")
}
