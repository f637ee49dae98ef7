import Foundation
import GatehouseClient
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// `script/prove client` signs a hundred people up; here a few are enough to see that none is lost.
@Suite("Sign-ups of the Swift client while the server dies")
struct ClientKillTests {
  private static let people = ProcessInfo.processInfo.environment["GATEHOUSE_CLIENT_SIGNUPS"].flatMap { Int($0) } ?? 8
  /// As many are under way at one kill.
  private static let together = 4

  /// A phone on the true clock and network.
  private func phone(_ server: ServerProcess) throws -> AuthClient {
    AuthClient(
      AuthConfiguration(
        server: try #require(URL(string: server.url)), tenant: App.ride.rawValue, store: MemoryStore(),
        languages: ["en"], cacheFolder: nil))
  }

  @Test("every sign-up ends signed in although the server is killed with -9 beneath it, and starts again")
  func killed() async throws {
    try await Installation.run(ownCluster: true) { here in
      var server = try await here.serve()
      try await here.create(.ride, server)
      // Each start listens where the first did.
      let listen = ["GATEHOUSE_LISTEN": server.url.replacing("http://", with: "")]
      var signedIn = 0
      for first in stride(from: 0, to: Self.people, by: Self.together) {
        let phones = try (first..<first + Self.together).map { try (number: $0, client: phone(server)) }
        let answers = phones.map { phone in
          Task {
            try await phone.client.signUp(
              email: "p\(phone.number)@ksu.edu", password: App.password, profile: App.ride.clientProfile())
          }
        }
        // The kill falls at another moment of the work in each round: a page of the server's own is asked for so often.
        for _ in 0..<(first / Self.together) % 5 { _ = try? await server.client(.ride).get("/v1/policy") }
        server.kill()
        server = try await here.serve(listen)
        for answer in answers where try await answer.value.user != nil { signedIn += 1 }
        for phone in phones { #expect(try await phone.client.reload().user?.email == "p\(phone.number)@ksu.edu") }
      }
      #expect(signedIn == Self.people)
      #expect(server.stop() == 0)
    }
  }
}
