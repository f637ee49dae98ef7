import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What tests that share a server stand on: each meets the three apps as if it were the first.
@Suite("The server that tests share")
struct SharedServerTests {
  private static let ask = #"{"email":"al@example.com","password":"kt49xw","profile":{"displayName":"Al"}}"#

  @Test("the same address signs up in one test after another, and each time gets the first mail")
  func tenants() async throws {
    for _ in 0..<2 {
      try await SharedServer.run { server in
        let answer = try await TestClient(server.url + "/t/messai").post("/v1/sign-up", Self.ask)
        let mails = try await server.mailCount(to: "al@example.com")
        #expect(answer.status == 201 && mails == 1, "\(answer.text) \(mails)")
      }
    }
  }

  @Test("an access token of a former test is refused by the next one's tenants")
  func tokens() async throws {
    let token = LockBox("")
    try await SharedServer.run { server in
      let answer = try await TestClient(server.url + "/t/messai").post("/v1/sign-up", Self.ask)
      token.withLock { $0 = answer.json["access_token"]?.string ?? "" }
    }
    try await SharedServer.run { server in
      let former = token.withLock { $0 }
      let answer = try await TestClient(server.url + "/t/messai").get("/v1/me", token: former)
      #expect(!former.isEmpty && answer.status == 401, "\(answer.text)")
    }
  }

  @Test(
    "a test that moves the clock or applies a policy fails, and the next one gets a new server",
    arguments: [true, false])
  func misuse(movesClock: Bool) async throws {
    let used = LockBox("")
    await #expect(throws: SharedServer.Misuse.self) {
      try await SharedServer.run { server in
        used.withLock { $0 = server.url }
        if movesClock { return server.clock.advance(seconds: 1) }
        _ = try await server.apply(try TestLists.policy("messai") + "# later\n", to: "messai")
      }
    }
    try await SharedServer.run { server in
      let former = used.withLock { $0 }
      #expect(!former.isEmpty && server.url != former)
    }
  }
}
