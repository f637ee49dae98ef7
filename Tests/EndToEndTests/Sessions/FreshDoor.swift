import Foundation
import GatehouseServerTesting
import GatehouseTesting

/// A door that a token alone does not open: each route that refuses `reauthentication_required`.
struct FreshDoor: Sendable {
  /// As the table of routes has it.
  let route: String
  private let body: String
  /// What stands in the place of the path's parameter.
  private let part: String

  private init(_ route: String, _ body: String = "{}", part: String = "") {
    (self.route, self.body, self.part) = (route, body, part)
  }

  /// The one that ends the account is last.
  static let all = [
    FreshDoor("POST /v1/me/email", #"{"email":"moved@ksu.edu"}"#), FreshDoor("GET /v1/me/export"),
    FreshDoor("POST /v1/me/links/{provider}", part: "google"),
    FreshDoor("POST /v1/me/links/{provider}/complete", #"{"id_token":"x.y.z","nonce":"n-1"}"#, part: "google"),
    FreshDoor("DELETE /v1/me/links/{provider}", part: "google"), FreshDoor("GET /v1/users"),
    FreshDoor(
      "PATCH /v1/users/{id}", #"{"profile":{"classYear":3}}"#, part: "01970000-0000-7000-8000-000000000000"),
    FreshDoor("POST /v1/me/factors/totp"), FreshDoor("POST /v1/me/recovery-codes"),
    FreshDoor("DELETE /v1/me/factors/{id}", part: "01970000-0000-7000-8000-000000000000"),
    FreshDoor("DELETE /v1/me"),
  ]

  /// Routes that refuse with the code and are no such doors: they make a proof, show whose the account is, or are one
  /// of an account with second factors only, as `FactorSessionTests` looks at.
  static let others = [
    "POST /v1/me/password",
    "POST /v1/reauthenticate", "POST /v1/reauthenticate/code", "POST /v1/email-change/confirm",
    "POST /v1/email-verification/confirm",
    // Passkeys need a host of the tenant's own: `PasskeyEnrolmentTests` knocks there.
    "POST /v1/passkeys/register/start",
  ]

  /// What it answers to the caller.
  func knock(_ client: TestClient, _ token: String) async throws -> TestClient.Answer {
    let words = route.split(separator: " ").map(String.init)
    let path = words[1].replacing(/\{\w+\}/, with: part)
    return words[0] == "GET"
      ? try await client.get(path, token: token) : try await client.send(words[0], path, body, token: token)
  }

  /// The doors that ask this caller for a fresh proof.
  static func closed(_ client: TestClient, _ token: String) async throws -> [String] {
    var closed: [String] = []
    for door in all where try await door.knock(client, token).code == "reauthentication_required" {
      closed.append(door.route)
    }
    return closed
  }
}
