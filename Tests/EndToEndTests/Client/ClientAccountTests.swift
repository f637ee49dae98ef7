import Foundation
import GatehouseClient
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Each call of the client against the whole server.
@Suite("The Swift client")
struct ClientAccountTests {
  private func messai(_ body: (ThreeApps, AuthClient) async throws -> Void) async throws {
    try await ThreeApps.run { apps async throws in try await body(apps, Phone(apps, .messai).client) }
  }

  private func signedUp(_ body: (ThreeApps, AuthClient, AuthUser) async throws -> Void) async throws {
    try await messai { apps, client async throws in
      let state = try await client.signUp(
        email: "al@example.com", password: App.password, profile: ["displayName": "Al"])
      try await body(apps, client, #require(state.user))
    }
  }

  private func code<T>(of body: () async throws(AuthError) -> T) async -> AuthError.Code? {
    do throws(AuthError) {
      _ = try await body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("without a session the state is signed out, for that there never was one")
  func never() async throws {
    try await messai { _, client async throws in #expect(await client.restored() == .signedOut(.never)) }
  }

  @Test("a sign-up answers the record, with full access where nothing is asked for")
  func signUp() async throws {
    try await signedUp { _, client, user async throws in
      #expect(client.state == .signedIn(user) && user["displayName"] == "Al" && user.presence.isOnline)
    }
  }

  @Test("the record reads as the app's own type")
  func decode() async throws {
    struct Person: Decodable {
      var id: String
      var email: String
      var displayName: String
      var photoURL: URL?
      var isOnline: Bool
      var lastSeen: Date?
      var createdAt: Date
    }
    try await signedUp { apps, _, user async throws in
      let person = try user.decode(Person.self)
      #expect(person.displayName == "Al" && person.photoURL == nil && person.createdAt == apps.server.clock.now)
    }
  }

  @Test("an address that is registered has the app's sentence")
  func duplicate() async throws {
    try await signedUp { apps, _, _ async throws in
      let other = try Phone(apps, .messai).client
      do {
        _ = try await other.signUp(email: "AL@example.com", password: App.password, profile: ["displayName": "Bo"])
        Issue.record("a second account")
      } catch let error as AuthError {
        #expect(error.code == .accountExists && error.message == "This email is already registered.")
      }
    }
  }

  @Test("a wrong password and an unknown address are one error")
  func invalid() async throws {
    try await signedUp { apps, _, _ async throws in
      let other = try Phone(apps, .messai).client
      for email in ["al@example.com", "nobody@example.com"] {
        #expect(
          await code { () async throws(AuthError) in try await other.signIn(email: email, password: "wrong one") }
            == .invalidCredentials)
      }
    }
  }

  @Test("broken rules name their inputs")
  func violations() async throws {
    try await messai { _, client async throws in
      do {
        _ = try await client.signUp(email: "al", password: "x", profile: ["displayName": "A"])
        Issue.record("an account")
      } catch let error as AuthError {
        #expect(Set(error.violations.map(\.input)) == ["email", "password", "displayName"])
      }
    }
  }

  @Test("a sign-in after a sign-out has the same person")
  func signInAgain() async throws {
    try await signedUp { _, client, user async throws in
      await client.signOut()
      #expect(client.state == .signedOut(.byUser))
      #expect(try await client.signIn(email: "al@example.com", password: App.password).user?.id == user.id)
    }
  }

  @Test("a second sign-in on the same device ends the first session, and leaves the person online")
  func again() async throws {
    try await signedUp { apps, client, user async throws in
      _ = try await client.signIn(email: "al@example.com", password: App.password)
      let bo = try Phone(apps, .messai).client
      _ = try await bo.signUp(email: "bo@example.com", password: App.password, profile: ["displayName": "Bo"])
      while try await client.devices().count > 1 { await Task.yield() }
      #expect(try await bo.user(user.id).presence?.isOnline == true)
    }
  }

  @Test("profile, presence and other users are as the server has them")
  func profile() async throws {
    try await signedUp { apps, client, user async throws in
      let changed = try await client.updateProfile(["displayName": "Alma", "photoURL": "https://example.com/a.jpg"])
      #expect(changed.user?["displayName"] == "Alma")
      try await client.setPresence(online: false)
      let bo = try Phone(apps, .messai).client
      _ = try await bo.signUp(email: "bo@example.com", password: App.password, profile: ["displayName": "Bo"])
      let seen = try await bo.user(user.id)
      #expect(seen["displayName"] == "Alma" && seen.presence?.isOnline == false)
      #expect(try await bo.users([user.id, "unknown"]).map(\.id) == [user.id])
    }
  }

  @Test("devices are listed, and another one is ended")
  func devices() async throws {
    try await signedUp { apps, client, _ async throws in
      let tablet = try Phone(apps, .messai, name: "tablet").client
      _ = try await tablet.signIn(email: "al@example.com", password: App.password)
      let other = try #require(try await client.devices().first { !$0.isCurrent })
      #expect(other.name == "tablet")
      try await client.end(device: other.id)
      try await client.end(device: other.id)  // A second tap is no error.
      #expect(await code { () async throws(AuthError) in try await tablet.reload() } != nil)
      #expect(tablet.state == .signedOut(.revoked))
    }
  }

  @Test("sign-out everywhere ends this session and the others")
  func everywhere() async throws {
    try await signedUp { apps, client, _ async throws in
      let tablet = try Phone(apps, .messai).client
      _ = try await tablet.signIn(email: "al@example.com", password: App.password)
      try await client.signOut(.everywhere)
      await tablet.foreground()
      #expect(await tablet.next { $0.user == nil } == .signedOut(.revoked))
      #expect(client.state == .signedOut(.byUser))
    }
  }

  @Test("a password is changed, and the old one no longer works")
  func password() async throws {
    try await signedUp { apps, client, _ async throws in
      try await client.changePassword(current: App.password, new: App.otherPassword)
      let other = try Phone(apps, .messai).client
      _ = try await other.signIn(email: "al@example.com", password: App.otherPassword)
      #expect(
        await code { () async throws(AuthError) in
          try await other.signIn(email: "al@example.com", password: App.password)
        } == .invalidCredentials)
    }
  }

  @Test("a forgotten password is set by the code of a mail, which ends the session")
  func reset() async throws {
    try await signedUp { apps, client, _ async throws in
      _ = try await client.sendPasswordReset(to: "al@example.com")
      let code = try #require(try await apps.server.latestMail(to: "al@example.com")?.code)
      try await client.resetPassword(email: "al@example.com", code: code, new: App.otherPassword)
      #expect(await client.next { $0.user == nil } == .signedOut(.revoked))
      #expect(try await client.signIn(email: "al@example.com", password: App.otherPassword).user != nil)
    }
  }

  @Test("T187 the app ends between the request of a reset and its code, which is taken after the start")
  func resetAfterRestart() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.messai, "al")
      apps.server.clock.advance(seconds: 61)
      let store = MemoryStore()
      _ = try await Phone(apps, .messai, store: store).client.sendPasswordReset(to: "al@example.com")
      let code = try #require(try await apps.server.latestMail(to: "al@example.com")?.code)
      let again = try Phone(apps, .messai, store: store).client
      try await again.resetPassword(email: "Al@example.com", code: code, new: App.otherPassword)
      #expect(try await apps.signIn(.messai, "al", password: App.otherPassword).status == 200)
    }
  }

  @Test("T187 asked for again before another mail may be sent, a reset takes the code of the first mail")
  func resetTwice() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.messai, "al")
      apps.server.clock.advance(seconds: 61)
      let client = try Phone(apps, .messai).client
      for _ in 0..<2 { _ = try await client.sendPasswordReset(to: "al@example.com") }
      let code = try #require(try await apps.server.latestMail(to: "al@example.com")?.code)
      try await client.resetPassword(email: "al@example.com", code: code, new: App.otherPassword)
      #expect(try await apps.signIn(.messai, "al", password: App.otherPassword).status == 200)
    }
  }

  @Test("T187 the code of a reset that was asked for elsewhere is not valid here, and the app says so")
  func resetElsewhere() async throws {
    try await ThreeApps.run { apps in
      let client = try Phone(apps, .messai).client
      #expect(
        await code { () async throws(AuthError) in
          try await client.resetPassword(email: "al@example.com", code: "123456", new: App.otherPassword)
        } == .codeInvalid)
    }
  }

  @Test("the address is changed by the code of the mail to the new one")
  func email() async throws {
    try await signedUp { apps, client, _ async throws in
      try await client.reauthenticate(.password(App.password))
      _ = try await client.changeEmail(to: "new@example.com", proof: .password(App.password))
      let code = try #require(try await apps.server.latestMail(to: "new@example.com")?.code)
      #expect(
        try await client.confirmEmailChange(email: "new@example.com", code: code).user?.email == "new@example.com")
    }
  }

  @Test("a session outlives a re-authentication")
  func reauthenticate() async throws {
    try await signedUp { apps, client, user async throws in
      try await client.reauthenticate(.password(App.password))
      apps.server.clock.advance(seconds: 3600)
      #expect(try await client.reload().user?.id == user.id)
    }
  }

  @Test("the export is the server's JSON about the person")
  func export() async throws {
    try await signedUp { _, client, user async throws in
      let json = try JSONSerialization.jsonObject(with: try await client.export()) as? [String: Any]
      #expect((json?["user"] as? [String: Any])?["id"] as? String == user.id)
    }
  }

  @Test("a deleted account is signed out as deleted, and gone")
  func delete() async throws {
    try await signedUp { _, client, _ async throws in
      try await client.deleteAccount(proof: .password(App.password))
      #expect(client.state == .signedOut(.deleted))
      #expect(
        await code { () async throws(AuthError) in
          try await client.signIn(email: "al@example.com", password: App.password)
        } == .invalidCredentials)
    }
  }

  @Test("an access token is replaced before it ends, and by itself after")
  func tokens() async throws {
    try await signedUp { apps, client, _ async throws in
      let first = try await client.accessToken()
      #expect(try await client.accessToken() == first)
      apps.server.clock.advance(seconds: 900)
      #expect(try await client.accessToken() != first)
    }
  }

  @Test("DD Ride: access is limited until the address is confirmed, and the token then has the claim")
  func verification() async throws {
    try await ThreeApps.run { apps async throws in
      let client = try Phone(apps, .ride).client
      let state = try await client.signUp(
        email: "willie@ksu.edu", password: App.password, profile: App.ride.clientProfile("Willie"))
      guard case .limited(_, let next) = state else {
        Issue.record("\(state)")
        return
      }
      #expect(next.first == .verifyEmail)
      #expect(await code { () async throws(AuthError) in try await client.users(["x"]) } == .accessLimited)
      let code = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.code)
      let before = try await client.accessToken()
      guard case .signedIn(let user) = try await client.confirmEmail(code: code) else {
        Issue.record("\(client.state)")
        return
      }
      #expect(user.isEmailVerified)
      #expect(try await client.accessToken() != before)
    }
  }

  @Test("DD Ride: a mail a moment after another is refused with the time to wait")
  func cooldown() async throws {
    try await ThreeApps.run { apps async throws in
      let client = try Phone(apps, .ride).client
      _ = try await client.signUp(
        email: "willie@ksu.edu", password: App.password, profile: App.ride.clientProfile("Willie"))
      do {
        _ = try await client.sendEmailVerification()
        Issue.record("two mails")
      } catch let error as AuthError {
        #expect(error.code == .cooldown && (error.retryAfter ?? .zero) > .seconds(50))
      }
    }
  }

  @Test("vibes: without Spotify access is limited, and that is what is asked for")
  func spotify() async throws {
    try await ThreeApps.run { apps async throws in
      let client = try Phone(apps, .vibes).client
      let state = try await client.signUp(
        email: "zoe@example.com", password: App.password, profile: App.vibes.clientProfile("zoe"))
      guard case .limited(_, let next) = state else {
        Issue.record("\(state)")
        return
      }
      #expect(next.compactMap(\.provider) == ["spotify"])
    }
  }
}

extension AuthClient {
  /// The first state that is so.
  func next(_ isIt: (AuthState) -> Bool) async -> AuthState {
    for await state in states where isIt(state) { return state }
    return state
  }
}
