import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Linking an account at a provider")
struct LinkTests {
  @Test("vibes: email sign-up, limited; Spotify linked, full in every answer; unlinked, limited again")
  func vibes() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.signUp(.vibes).json
      #expect(up["access"] == .string("limited") && up.next == ["link:spotify"])
      let linked = try await provided.linkSpotify(up.accessToken)
      #expect(linked.status == 200, "\(linked.text)")
      #expect(linked.json["access"] == .string("full") && linked.json.next.isEmpty)
      #expect(linked.json["user"]?["links"]?.array?.first?["scopes"]?.array?.count == 12)
      let answers = [
        try await provided.apps.signIn(.vibes).json, try await provided.apps.refresh(.vibes, up.refreshToken).json,
        try await provided.apps.me(.vibes, up.accessToken).json,
      ]
      for answer in answers { #expect(answer["access"] == .string("full") && answer.next.isEmpty) }
      #expect(try Token.claims(of: answers[0].accessToken)["access"] == .string("full"))
      let other = try await provided.apps.vibes.get("/v1/users/\(up.userID)", token: answers[0].accessToken)
      #expect(other.status == 200)
      let gone = try await provided.apps.vibes.send(
        "DELETE", "/v1/me/links/spotify", "{}", token: answers[0].accessToken)
      #expect(gone.status == 204, "\(gone.text)")
      let me = try await provided.apps.me(.vibes, answers[0].accessToken).json
      #expect(me["access"] == .string("limited") && me.next == ["link:spotify"] && me["user"]?["links"] == .array([]))
      let again = try await provided.apps.vibes.send(
        "DELETE", "/v1/me/links/spotify", "{}", token: answers[0].accessToken)
      #expect(again.code == "provider_not_linked")
      // The verifier was the flow's, and its challenge is what was asked with.
      #expect(provided.providers.verifiers.count == 1 && provided.providers.verifiers[0].utf8.count == 43)
    }
  }

  @Test("fewer scopes than required: not linked, told which, nothing of an earlier link lost")
  func scopes() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.signUp(.vibes).json
      let some = Array(ProvidedApps.spotifyScopes.dropFirst(2))
      let partial = try await provided.linkSpotify(up.accessToken, scopes: some)
      #expect(partial.status == 409 && partial.code == "provider_scopes_missing", "\(partial.text)")
      #expect(partial.json["missing"] == .array([.string("user-read-email"), .string("user-read-private")]))
      #expect(try await provided.apps.me(.vibes, up.accessToken).json.next == ["link:spotify"])
      // A provider that says nothing of scopes granted what was asked for (RFC 6749 section 5.1).
      #expect(try await provided.linkSpotify(up.accessToken, scopes: nil).json["access"] == .string("full"))
      #expect(try await provided.linkSpotify(up.accessToken, scopes: some).code == "provider_scopes_missing")
      #expect(try await provided.apps.me(.vibes, up.accessToken).json["access"] == .string("full"))
    }
  }

  @Test("a Spotify account belongs to one user, as the policy says; linking another one replaces it")
  func oneEach() async throws {
    try await ProvidedApps.run { provided in
      let one = try await provided.apps.signUp(.vibes, "one").json
      let two = try await provided.apps.signUp(.vibes, "two").json
      #expect(try await provided.linkSpotify(one.accessToken, subject: "shared").status == 200)
      let taken = try await provided.linkSpotify(two.accessToken, subject: "shared")
      #expect(taken.status == 409 && taken.code == "provider_account_taken", "\(taken.text)")
      #expect(try await provided.linkSpotify(one.accessToken, subject: "shared").status == 200)
      #expect(try await provided.linkSpotify(one.accessToken, subject: "other").status == 200)
      #expect(try await provided.apps.me(.vibes, one.accessToken).json["user"]?["links"]?.array?.count == 1)
      #expect(try await provided.linkSpotify(two.accessToken, subject: "shared").status == 200)
    }
  }

  @Test("where the policy lets people share an account there, they do")
  func shared() async throws {
    let open: (App, String) -> String = { app, text in
      app == .vibes
        ? PolicyText.withoutTests(text).replacing("one_account_per_user: true", with: "one_account_per_user: false")
        : text
    }
    try await ProvidedApps.run(policy: open) { provided in
      for name in ["one", "two"] {
        let up = try await provided.apps.signUp(.vibes, name).json
        #expect(try await provided.linkSpotify(up.accessToken, subject: "shared").status == 200)
      }
    }
  }

  @Test("T100 a state is good once, for its tenant, provider, purpose, session and address")
  func states() async throws {
    try await ProvidedApps.run { provided in
      let client = provided.apps.vibes
      let one = try await provided.apps.signUp(.vibes, "one").json
      let two = try await provided.apps.signUp(.vibes, "two").json
      let start = try await client.post(
        "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: one.accessToken)
      #expect(start.status == 200 && start.json["expires_in"] == .integer(600), "\(start.text)")
      provided.providers.expect(
        "c", .init(user: ProviderUser(issuer: "https://accounts.spotify.com", subject: "s"), scopes: nil))
      let back = try provided.wayBack(from: start, code: "c")
      func complete(_ address: String, _ token: String, at provider: String = "spotify") async throws -> String? {
        try await client.post(
          "/v1/me/links/\(provider)/complete", #"{"callback_url":"\#(address)"}"#, token: token
        ).code
      }
      // Another person's session, another provider (mix-up), another address, another tenant.
      #expect(try await complete(back, two.accessToken) == "code_invalid")
      #expect(try await complete(back, one.accessToken, at: "google") == "code_invalid")
      #expect(
        try await complete(back.replacing("vibes://spotify-callback", with: "evil://x"), one.accessToken)
          == "code_invalid")
      #expect(try await complete("vibes://spotify-callback?code=c&state=gh_ls_x", one.accessToken) == "code_invalid")
      let elsewhere = try await provided.apps.messai.get(
        "/v1/sign-in/google/callback?" + String(try #require(back.split(separator: "?").last)))
      #expect(elsewhere.status == 400)
      // None of them used it up.
      #expect(try await complete(back, one.accessToken) == nil)
      #expect(try await complete(back, one.accessToken) == "code_invalid")
      // And one that is late.
      let slow = try await client.post(
        "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: one.accessToken)
      provided.apps.server.clock.advance(seconds: 601)
      #expect(try await complete(provided.wayBack(from: slow, code: "c"), one.accessToken) == "code_invalid")
    }
  }

  @Test("T100 another issuer's answer (RFC 9207), a no, an error and a code that is worth nothing link nothing")
  func answers() async throws {
    try await ProvidedApps.run { provided in
      let client = provided.apps.vibes
      let up = try await provided.apps.signUp(.vibes).json
      func complete(_ change: (String) -> String) async throws -> TestClient.Answer {
        let start = try await client.post(
          "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: up.accessToken)
        let code = UUID().text
        provided.providers.expect(
          code, .init(user: ProviderUser(issuer: "https://accounts.spotify.com", subject: "s"), scopes: nil))
        let back = change(try provided.wayBack(from: start, code: code))
        return try await client.post(
          "/v1/me/links/spotify/complete", #"{"callback_url":"\#(back)"}"#, token: up.accessToken)
      }
      #expect(try await complete { $0 + "&iss=https%3A%2F%2Fevil.example" }.code == "provider_token_invalid")
      #expect(
        try await complete { $0.replacing("code=", with: "error=access_denied&old=") }.code == "provider_denied")
      #expect(
        try await complete { $0.replacing("code=", with: "error=server_error&old=") }.code == "provider_error")
      #expect(try await complete { $0.replacing("code=", with: "code=x") }.code == "provider_token_invalid")
      #expect(try await complete { $0 + "&code=y" }.code == "code_invalid")
      #expect(try await complete { $0 + "&error=access_denied" }.code == "code_invalid")
      #expect(try await provided.apps.me(.vibes, up.accessToken).json["user"]?["links"] == .array([]))
      // Their own issuer, and unknown parameters, are accepted.
      let right = try await complete { $0 + "&iss=https%3A%2F%2Faccounts.spotify.com&authuser=0" }
      #expect(right.status == 200, "\(right.text)")
    }
  }

  @Test("T166 linking takes a recent sign-in where the provider signs in, unlinking always; addresses are the policy's")
  func recent() async throws {
    try await ProvidedApps.run { provided in
      let client = provided.apps.vibes
      let up = try await provided.apps.signUp(.vibes).json
      let wrong = try await client.post(
        "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback/"}"#, token: up.accessToken)
      #expect(wrong.status == 400 && wrong.code == "malformed_request")
      #expect(try await provided.linkSpotify(up.accessToken).status == 200)
      provided.apps.server.clock.advance(seconds: 301)
      #expect(try await provided.linkSpotify(up.accessToken).status == 200)
      let browser = try await client.post("/v1/me/links/google", "{}", token: up.accessToken)
      #expect(browser.code == "reauthentication_required")
      let token = try provided.providers.token("g1")
      let native = try await client.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#, token: up.accessToken)
      #expect(native.code == "reauthentication_required")
      let gone = try await client.send("DELETE", "/v1/me/links/spotify", "{}", token: up.accessToken)
      #expect(gone.code == "reauthentication_required")
      let proven = try await client.send(
        "DELETE", "/v1/me/links/spotify", #"{"password":"\#(App.password)"}"#, token: up.accessToken)
      #expect(proven.status == 204, "\(proven.text)")
      for name in ["nobody", "password"] {
        #expect(try await client.post("/v1/me/links/\(name)", "{}", token: up.accessToken).code == "not_found")
      }
    }
  }

  @Test("the last way to sign in can not be removed; one of two can, and of two at once one stays")
  func last() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let client = provided.apps.vibes
      let up = try await provided.google().json
      let only = try await client.send("DELETE", "/v1/me/links/google", "{}", token: up.accessToken)
      #expect(only.status == 409 && only.code == "last_sign_in_method", "\(only.text)")
      #expect(try await provided.google().json.userID == up.userID)
      let user = try await provided.apps.signUp(.vibes).json
      let token = try provided.providers.token("g9")
      let linked = try await client.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#, token: user.accessToken)
      #expect(linked.status == 200, "\(linked.text)")
      #expect(try await provided.google(.vibes, "g9").json.userID == user.userID)
      let gone = try await client.send("DELETE", "/v1/me/links/google", "{}", token: user.accessToken)
      #expect(gone.status == 204, "\(gone.text)")
      #expect(try await provided.google(.vibes, "g9").json.userID != user.userID)
    }
  }

  @Test("T098 a link is judged at its door: DD Ride takes no gmail address from Google there either")
  func door() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.rider()
      let token = try provided.providers.token("g1")
      let refused = try await provided.apps.ride.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#, token: up.accessToken)
      #expect(refused.status == 422 && refused.rules == ["email.allowed_domains"], "\(refused.text)")
      let theirs = try provided.providers.token("g1", ["email": .string("willie@ksu.edu")])
      let linked = try await provided.apps.ride.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(theirs)","nonce":"n-1"}"#, token: up.accessToken)
      #expect(linked.status == 200, "\(linked.text)")
    }
  }

  @Test("T044 the owner is told by mail of an account that is linked or unlinked; a refusal sends no mail")
  func notices() async throws {
    try await ProvidedApps.run { provided in
      let server = provided.apps.server
      let up = try await provided.apps.signUp(.vibes).json
      try await provided.verify(.vibes, App.vibes.email())
      var count = try await server.mailCount(to: App.vibes.email())
      #expect(try await provided.linkSpotify(up.accessToken, scopes: []).code == "provider_scopes_missing")
      #expect(try await server.mailCount(to: App.vibes.email()) == count)
      server.clock.advance(seconds: 1)
      #expect(try await provided.linkSpotify(up.accessToken).status == 200)
      let linked = try #require(try await server.latestMail(to: App.vibes.email()))
      #expect(linked.subject == "Spotify was connected to your vibes account")
      #expect(
        linked.link?.hasSuffix("/ui/account/connections") == true && linked.code == nil
          && !linked.text.contains("listener"))
      server.clock.advance(seconds: 1)
      #expect(
        try await provided.apps.vibes.send("DELETE", "/v1/me/links/spotify", "{}", token: up.accessToken).status == 204)
      let gone = try #require(try await server.latestMail(to: App.vibes.email()))
      #expect(gone.subject == "Spotify was disconnected from your vibes account")
      count += 2
      #expect(try await server.mailCount(to: App.vibes.email()) == count)
      // Who comes by Google to an address that is theirs is told at that address.
      server.clock.advance(seconds: 1)
      _ = try await provided.google(.vibes, "g1", ["email": .string(App.vibes.email())])
      let joined = try await server.mailCount(to: App.vibes.email())
      #expect(joined > count)
    }
  }

  @Test("a copy of one's data tells of links, and erasing a person takes them along")
  func rights() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.signUp(.vibes).json
      #expect(try await provided.linkSpotify(up.accessToken, subject: "mine").status == 200)
      let copy = try await provided.apps.vibes.get("/v1/me/export", token: up.accessToken).json
      let identity = try #require(copy["identities"]?.array?.first)
      #expect(identity["provider"] == .string("spotify") && identity["subject"] == .string("mine"))
      #expect(identity["issuer"] == .string("https://accounts.spotify.com"))
      #expect(try await provided.apps.vibes.send("DELETE", "/v1/me", "{}", token: up.accessToken).status == 204)
      let next = try await provided.apps.signUp(.vibes).json
      #expect(try await provided.linkSpotify(next.accessToken, subject: "mine").status == 200)
    }
  }
}
