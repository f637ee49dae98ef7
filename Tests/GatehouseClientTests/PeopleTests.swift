import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("People of the app")
struct PeopleTests {
  @Test("people are found by address, username and the beginning of a name, as the policy's directory allows")
  func found() async throws {
    let stage = ClientStage()
    stage.server.addAccount(email: "zelda@example.com", password: "zelda's own", profile: ["username": "Zelda"])
    let client = try await stage.signedIn()
    #expect(try await client.find(email: " Zelda@Example.com ")?["username"] == "Zelda")
    #expect(try await client.find(email: "zoe@example.com") == nil)
    #expect(try await client.find(username: "zelda")?["username"] == "Zelda")
    #expect(try await client.find(prefix: "zel").map { $0["username"] } == ["Zelda"])
  }

  @Test("an address that was not proven finds no one")
  func unproven() async throws {
    let stage = ClientStage()
    stage.server.addAccount(email: "zelda@example.com", password: "zelda's own", isVerified: false)
    let client = try await stage.signedIn()
    #expect(try await client.find(email: "zelda@example.com") == nil)
  }

  @Test("the person's own record shows the presence that was set")
  func presence() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    try await client.setPresence(online: false)
    #expect(client.state.user?.presence.isOnline == false)
    try await client.setPresence(online: true)
    #expect(client.state.user?.presence.isOnline == true)
  }

  @Test("a person who was signed out is told why, in a language of the app")
  func reasons() async throws {
    let stage = ClientStage()
    var configuration = stage.configuration()
    configuration.languages = ["es-MX"]
    let client = AuthClient(configuration)
    #expect(client.sentence(for: .expired) == "La sesión ha caducado. Vuelve a iniciar sesión.")
    #expect(client.sentence(for: .never) == nil && client.sentence(for: .byUser) == nil)
    for reason in SignedOutReason.allCases where ![.never, .byUser].contains(reason) {
      #expect(client.sentence(for: reason) != nil)
    }
  }

  @Test("a sign-out after the account was deleted keeps that reason")
  func deleted() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    try await client.deleteAccount(proof: .password(ClientStage.password))
    await client.signOut()
    #expect(client.state == .signedOut(.deleted))
  }

  @Test("a claim that changed elsewhere is in the token by the time the record shows it")
  func claims() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    let before = try await client.accessToken()
    stage.server.setField("role", "admin", of: ClientStage.email)
    #expect(try await client.reload().user?["role"] == "admin")
    #expect(try await client.accessToken() != before)
  }

  @Test("a record that says the same costs no refresh")
  func sameClaims() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    let before = try await client.accessToken()
    _ = try await client.reload()
    #expect(try await client.accessToken() == before)
  }

  @Test("a rule that binds from a later day is a warning with its day, through a restart and a refresh")
  func warnings() async throws {
    let stage = ClientStage(policy: .warning)
    let client = try await stage.signedIn()
    let expected = [
      AuthWarning(
        rule: "password.min20", message: "At least 20 characters",
        sentence: "Password must be at least 20 characters.", enforceFrom: "2031-03-01")
    ]
    #expect(client.warnings == expected && expected[0].input == "password")
    let next = await stage.restarted()
    _ = try await next.accessToken(forcingRefresh: true)
    #expect(next.warnings == expected)
  }

  @Test("a change of the password answers its warnings, and a good one ends them")
  func warningsDone() async throws {
    let stage = ClientStage(policy: .warning)
    let client = try await stage.signedIn()
    let still = try await client.changePassword(current: ClientStage.password, new: "another short one")
    #expect(still.map(\.rule) == ["password.min20"] && client.warnings == still)
    let none = try await client.changePassword(current: "another short one", new: "long enough for the later rule")
    #expect(none == [] && client.warnings == [])
  }

  @MainActor
  @Test("a model of the session shows the advice of the sign-in, and loses it with the change")
  func advice() async throws {
    let stage = ClientStage(policy: .warning)
    let client = try await stage.signedIn()
    let model = SessionModel(client)
    #expect(model.advice.map(\.enforceFrom) == ["2031-03-01"])
    _ = try await client.changePassword(current: ClientStage.password, new: "long enough for the later rule")
    await until { model.advice == [] }
  }
}
