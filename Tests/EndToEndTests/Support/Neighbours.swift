import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Two tenants with one policy, so that whatever one refuses and the other takes, it is not for the policy.
struct Neighbours {
  let server: TestServer
  let north: TestClient
  let south: TestClient
  let providers: SigningProviders
  /// An administrator of the southern tenant, who has every right there is.
  let stranger: Person

  /// A user with everything that proves who they are.
  struct Person: Sendable {
    var email: String
    var access: String
    var refresh: String
    var session: String
    var id: String

    init(_ email: String, _ answer: JSONValue) {
      self.email = email
      access = answer.accessToken
      refresh = answer.refreshToken
      session = answer["session"]?["id"]?.string ?? ""
      id = answer.userID
    }
  }

  /// The relying party of both tenants' passkeys.
  static let party = "neighbours.example"
  private static let passkeys = "passkeys: {use: [sign_in, second_factor, sign_up], rp_id: \(party)}\n"

  static func run(_ tokens: TokenCheck, _ body: (Neighbours) async throws -> Void) async throws {
    // Every client of this test comes from one address.
    let text = PolicyText.limits(
      "sign_up_per_ip: 1000/1h", in: ProvidedApps.policy(.ride, try TestLists.policy("dd-ride"))
    )
    .replacing("continue: [ddride://signed-in]", with: "continue: [\"\(ProvidedApps.back)\"]")
    let keyed = PolicyText.with(mfa: "{factors: [totp, passkey]}", text) + passkeys
    let clock = TestClock()
    let providers = try SigningProviders(clock)
    func policy(_ name: String) -> String { keyed.replacing("\ntenant: dd-ride\n", with: "\ntenant: \(name)\n") }
    let server = try await TestServer.start(
      policies: ["north": policy("north"), "south": policy("south")], clock: clock, tokens: tokens, providers: providers
    )
    do {
      for name in ["north", "south"] { try await server.own("\(name).\(party)", of: name) }
      let south = TestClient(server.url + "/t/south")
      let stranger = try await administrator("stranger@ksu.edu", "south", south, server)
      try await body(
        Neighbours(
          server: server, north: TestClient(server.url + "/t/north"), south: south, providers: providers,
          stranger: stranger))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// A new administrator of the northern tenant.
  func victim(_ number: Int) async throws -> Person {
    try await Self.administrator("victim\(number)@ksu.edu", "north", north, server)
  }

  private static func administrator(
    _ email: String, _ tenant: String, _ client: TestClient, _ server: TestServer
  ) async throws -> Person {
    let up = try await client.post("/v1/sign-up", body(email)).json
    try await Operator.verify(email, of: tenant, server)
    try await Operator.set(["role": .string("admin")], of: email, in: tenant, server)
    return Person(email, up)
  }

  static func body(_ email: String, password: String = App.password) -> String {
    #"{"email":"\#(email)","password":"\#(password)","profile":{"name":"N","phoneNumber":"785-555-0123"}}"#
  }

  /// The newest mail to an address; newer than every mail before.
  func mail(to email: String) async throws -> StoredMail {
    try #require(try await server.latestMail(to: email))
  }

  /// The token in the link of the newest mail.
  func linkToken(to email: String) async throws -> String {
    String(try #require(try await mail(to: email).link?.split(separator: "=").last))
  }
}
