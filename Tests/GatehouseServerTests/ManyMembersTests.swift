import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Bodies with very many names")
struct ManyMembersTests {
  /// 8,000 names within 64 KB.
  private static let profile = "{\((0..<8000).map { #""\#(String($0, radix: 36))":1"# }.joined(separator: ","))}"

  @Test("T124 8,000 members of profile are 400 with their pointer: at sign-up, and at the admin API")
  func refused() async throws {
    try await AdminGround.run { ground in
      let body = #"{"email":"al@example.com","password":"kt49xwmz","profile":\#(Self.profile)}"#
      #expect(body.utf8.count > 60_000 && body.utf8.count < 65_536)
      let up = try await TestClient(ground.server.url).post("/t/vibes/v1/sign-up", body)
      #expect(up.status == 400 && up.code == "malformed_request")
      #expect(up.json["detail"]?.string?.hasPrefix("/profile: more than 256 members") == true, "\(up.text)")
      let made = try await ground.client.post(
        "/admin/v1/tenants/vibes/users", #"{"email":"al@example.com","profile":\#(Self.profile)}"#,
        token: try await ground.server.adminToken())
      #expect(made.status == 400 && made.code == "malformed_request")
      #expect(made.json["detail"]?.string?.hasPrefix("/profile: more than 256 members") == true, "\(made.text)")
    }
  }
}
