import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The name that a request to the admin API states")
struct StatedNameTests {
  @Test("it stands beside the token's name, and never in its place")
  func beside() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("shared")
      let answer = try await ground.client.send(
        "PATCH", "/admin/v1/tenants/vibes", #"{"display_name":"Vibes!"}"#, token: token,
        headers: ["Gatehouse-As": "Anna%20M%C3%BCller"])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(try await ground.audit(.tenantChanged).first?.actor == "operator:shared (as Anna M\u{FC}ller, stated)")
    }
  }

  @Test("a field that is no name is refused, and nothing is done")
  func refused() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("shared")
      let before = try await ground.audit(.tenantChanged).count
      for name in ["", "%0A", "%E2%80%AEanna", "a%", "%FF", "x%29", "a;b", String(repeating: "a", count: 65)] {
        let answer = try await ground.client.send(
          "PATCH", "/admin/v1/tenants/vibes", #"{"display_name":"Vibes!"}"#, token: token,
          headers: ["Gatehouse-As": name])
        #expect(answer.status == 400, "\(name): \(answer.text)")
      }
      #expect(try await ground.audit(.tenantChanged).count == before)
    }
  }
}
