import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Refusals about a provider name it")
struct ProviderSentencesTests {
  private func check(
    _ answer: TestClient.Answer, _ code: String, _ title: String, provider: String = "spotify",
    at place: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.code == code, "\(answer.text)", sourceLocation: place)
    #expect(answer.json["title"] == .string(title), sourceLocation: place)
    #expect(answer.json["provider"] == .string(provider), sourceLocation: place)
  }

  @Test("an account that is not linked, linked with too few scopes, or linked to another user")
  func links() async throws {
    try await ProvidedApps.run { provided in
      let client = provided.apps.vibes
      let up = try await provided.apps.signUp(.vibes, "one").json
      let missing = "Please connect your Spotify account"
      check(try await client.post("/v1/me/links/spotify/token", token: up.accessToken), "provider_not_linked", missing)
      check(
        try await client.send("DELETE", "/v1/me/links/spotify", "{}", token: up.accessToken), "provider_not_linked",
        missing)
      let some = Array(ProvidedApps.spotifyScopes.dropFirst())
      check(
        try await provided.linkSpotify(up.accessToken, scopes: some), "provider_scopes_missing",
        "Some permissions are missing at Spotify.")
      #expect(try await provided.linkSpotify(up.accessToken, subject: "shared").status == 200)
      let two = try await provided.apps.signUp(.vibes, "two").json
      check(
        try await provided.linkSpotify(two.accessToken, subject: "shared"), "provider_account_taken",
        "This Spotify account is connected to another user.")
    }
  }

  @Test("a provider that the policy does not name is named in no answer, whatever the caller calls it")
  func madeUp() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.signUp(.vibes).json
      let answer = try await provided.apps.vibes.send("DELETE", "/v1/me/links/nowhere", "{}", token: up.accessToken)
      #expect(answer.code == "provider_not_linked" && answer.json["provider"] == nil, "\(answer.text)")
      #expect(answer.json["title"] == .string("Please connect this account first"))
    }
  }

  @Test("an invalid answer that a user brings back from a provider")
  func answers() async throws {
    try await ProvidedApps.run { provided in
      let client = provided.apps.vibes
      let up = try await provided.apps.signUp(.vibes).json
      func complete(_ with: String) async throws -> TestClient.Answer {
        let start = try await client.post(
          "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: up.accessToken)
        let back = try provided.wayBack(from: start, code: UUID().text).replacing("code=", with: with)
        return try await client.post(
          "/v1/me/links/spotify/complete", #"{"callback_url":"\#(back)"}"#, token: up.accessToken)
      }
      check(try await complete("error=access_denied&old="), "provider_denied", "You did not allow this at Spotify.")
      check(try await complete("error=server_error&old="), "provider_error", "Spotify gave an error.")
      check(try await complete("code=x"), "provider_token_invalid", "Spotify did not confirm who you are.")
      let google = "Google did not confirm who you are."
      let body = #""id_token":"x.y.z","nonce":"n-1""#
      check(
        try await client.post("/v1/sign-in/google", "{\(body)}"), "provider_token_invalid", google, provider: "google")
      check(
        try await client.post("/v1/reauthenticate", "{\"provider\":\"google\",\(body)}", token: up.accessToken),
        "provider_token_invalid", google, provider: "google")
    }
  }

  @Test("a grant that is dead, and a provider that is not there")
  func grants() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      try await app.peer.fail("/token", .status(429, retryAfter: "30"), times: 1)
      app.server.clock.advance(seconds: 298)
      check(try await app.token(me), "provider_unavailable", "Spotify is unavailable right now.")
      try await app.peer.withdrawGrants(of: "1001")
      app.server.clock.advance(seconds: 60)
      check(try await app.token(me), "provider_link_broken", "Please connect your Spotify account again")
    }
  }
}
