import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("What a webhook shows of people, and whose word that needs")
struct WebhookRightTests {
  private static let path = "/admin/v1/tenants/messai/webhooks"
  private static let reader: [AdminScope] = [.webhookWrite, .userRead]
  private static let copier: [AdminScope] = [.webhookWrite, .userRead, .auditRead]

  /// The policy with a field of each visibility.
  private static func policy() throws -> String {
    (try TestLists.policy("messai").components(separatedBy: "\nusers:")[0] + "\n").replacing(
      "    photoURL:",
      with: """
            seen: {type: string, visible_to: users}
            own: {type: string, visible_to: self}
            secret: {type: string, write: admin, visible_to: admin}
            photoURL:
        """)
  }

  private static func run(_ body: (AdminGround, HTTPSPeer) async throws -> Void) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await AdminGround.run { ground in
      _ = try await ground.server.apply(
        try policy(), to: "messai", allowsWeaker: true, allowsLockout: true)
      try await TenantLoader(ground.server.services).loadAll()
      try await body(ground, peer)
    }
  }

  private static func create(
    _ ground: AdminGround, _ peer: HTTPSPeer, _ fields: [String], dry: Bool = false, token: String
  )
    async throws -> TestClient.Answer
  {
    let names = JSONValue.array(fields.map { .string($0) }).text
    return try await ground.client.post(
      path, #"{"url":"\#(peer.url("/hook"))","fields":\#(names),"dry_run":\#(dry)}"#, token: token)
  }

  @Test(
    "T176 a webhook is made by who may read what it shows: a record, or the copy that an export is",
    arguments: [
      ([AdminScope.webhookWrite], [], nil), ([.webhookWrite], ["email"], "user:read"),
      ([.webhookWrite], ["seen"], "user:read"), (reader, ["email", "seen"], nil), (reader, ["own"], "audit:read"),
      (reader, ["seen", "secret"], "audit:read"), ([.webhookWrite, .auditRead], ["own"], "user:read"),
      (copier, ["email", "seen", "own", "secret"], nil), ([.webhookWrite, .userWrite, .auditWrite], ["own"], nil),
    ] as [([AdminScope], [String], String?)])
  func made(_ scopes: [AdminScope], _ fields: [String], _ lacking: String?) async throws {
    try await Self.run { ground, peer in
      let token = try await ground.server.adminToken("maker", scopes: scopes)
      let dry = try await Self.create(ground, peer, fields, dry: true, token: token)
      let made = try await Self.create(ground, peer, fields, token: token)
      #expect([dry, made].map(\.status) == (lacking == nil ? [201, 201] : [403, 403]), "\(made.text)")
      #expect([dry, made].map { $0.json["scope"]?.string } == [lacking, lacking])
      let list = try await ground.client.get(Self.path, token: token).json["items"]?.array
      #expect(list?.count == (lacking == nil ? 1 : 0))
    }
  }

  @Test(
    "T176 each change of a webhook needs what its making needs; its end does not",
    arguments: [("POST", "/rotate-secret", 403), ("POST", "/enable", 403), ("DELETE", "", 204)])
  func changed(_ method: String, _ path: String, _ status: Int) async throws {
    try await Self.run { ground, peer in
      let owner = try await ground.server.adminToken("owner", scopes: Self.copier)
      let made = try await Self.create(ground, peer, ["own"], token: owner)
      let id = try #require(made.json["item"]?["id"]?.string, "\(made.text)")
      let weaker = try await ground.server.adminToken("weaker", scopes: Self.reader)
      let answer = try await ground.client.send(
        method, Self.path + "/\(id)" + path, method == "POST" ? "{}" : nil, token: weaker)
      #expect(answer.status == status, "\(answer.text)")
    }
  }

  /// What the next message tells of a person beside the id.
  private static func told(_ ground: AdminGround, _ peer: HTTPSPeer, _ name: String) async throws -> [String] {
    try await TenantLoader(ground.server.services).loadAll()
    let up = try await TestClient(ground.server.url + "/t/messai").post(
      "/v1/sign-up",
      #"{"email":"\#(name)@example.com","password":"kt49xw","profile":{"displayName":"Al","seen":"x","own":"y"}}"#)
    #expect(up.status == 201, "\(up.text)")
    var names: [String] = []
    while true {
      let sent = try await ground.server.deliverWebhooks()
      guard sent > 0 else { break }
      for _ in 0..<sent {
        let said = try JSONParser.parse(try await peer.next().body)
        guard said["type"] == .string("user.created") else { continue }
        names = said["data"]?["user"]?.object?.members.map(\.key) ?? []
      }
    }
    return names.filter { $0 != "id" }
  }

  @Test("T176 a field that the policy hides later is sent no more, until one who may read it says so")
  func hidden() async throws {
    try await Self.run { ground, peer in
      let token = try await ground.server.adminToken("maker", scopes: Self.reader)
      let made = try await Self.create(ground, peer, ["seen"], token: token)
      let id = try #require(made.json["item"]?["id"]?.string, "\(made.text)")
      let before = try await Self.told(ground, peer, "ann")
      let text = try Self.policy().replacing("seen: {type: string, visible_to: users}", with: "seen: {type: string}")
      _ = try await ground.server.apply(text, to: "messai", allowsWeaker: true, allowsLockout: true)
      let after = try await Self.told(ground, peer, "bob")
      let refused = try await ground.client.post(Self.path + "/\(id)/enable", token: token)
      _ = try await EnableWebhook.run(.init(tenant: "messai", webhook: id), ground.server.asOperator)
      let confirmed = try await Self.told(ground, peer, "cat")
      #expect([before, after, confirmed] == [["seen"], [], ["seen"]])
      #expect(refused.status == 403 && refused.json["scope"] == .string("audit:read"), "\(refused.text)")
    }
  }

  @Test("T176 an apply names the webhooks that no longer show what it hides")
  func noted() async throws {
    try await Self.run { ground, peer in
      let token = try await ground.server.adminToken("maker", scopes: Self.reader + [.policyWrite])
      let made = try await Self.create(ground, peer, ["seen"], token: token)
      let id = try #require(made.json["item"]?["id"]?.string, "\(made.text)")
      let text = try Self.policy().replacing("seen: {type: string, visible_to: users}", with: "seen: {type: string}")
      let applied = try await ground.client.send(
        "PUT", "/admin/v1/tenants/messai/policy?allow_weaker=true", text, token: token,
        headers: ["Content-Type": "application/yaml", "If-Match": "*"])
      #expect(applied.json["notes"]?.array?.first?.string?.contains("webhook \(id)") == true, "\(applied.text)")
    }
  }

  @Test("T176 an export needs what its copy of a webhook's fields does")
  func same() async throws {
    try await Self.run { ground, _ in
      _ = try await Self.told(ground, try await HTTPSPeer.start(tls: false), "ann")
      let path = "/admin/v1/tenants/messai/users/ann@example.com/export"
      for scope in PersonReading.copy {
        let token = try await ground.server.adminToken(
          "without-\(scope.rawValue.replacing(":", with: "-"))", scopes: PersonReading.copy.filter { $0 != scope })
        #expect(try await ground.client.get(path, token: token).json["scope"] == .string(scope.rawValue))
      }
    }
  }
}
