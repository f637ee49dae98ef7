import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Changing keys while everything runs")
struct KeyRotationTests {
  private func tenant(_ apps: ThreeApps) async throws -> TenantSnapshot { try await apps.operatorCall(.messai).tenant }

  private func kid(_ token: String) throws -> String {
    let header = try #require(Base64URL.decode(String(token.prefix { $0 != "." })))
    return try #require(try JSONParser.parse(header)["kid"]?.string)
  }

  /// An app's backend, as far as keys go: it keeps the set as long as it may and makes no request meanwhile.
  private struct Backend {
    var known: Set<String> = []
    var until = Date.distantPast

    mutating func look(_ apps: ThreeApps) async throws {
      guard apps.server.clock.now >= until else { return }
      let answer = try await apps.messai.get("/.well-known/jwks.json")
      known = Set((answer.json["keys"]?.array ?? []).compactMap { $0["kid"]?.string })
      let age = try #require(answer.headers["cache-control"]?.split(separator: "=").last.flatMap { Double($0) })
      until = apps.server.clock.now.addingTimeInterval(age)
    }
  }

  @Test(
    "T075 rotated every 30 seconds for half an hour, no backend that keeps the set as long as it may meets an unknown key",
    arguments: [false, true])
  func underLoad(immediately: Bool) async throws {
    try await ThreeApps.run { apps in
      var refresh = try await apps.signUp(.messai).json.refreshToken
      var backends = Array(repeating: Backend(), count: 10)
      var tokens: [(kid: String, expires: Date)] = []
      var misses = 0
      var signers: Set<String> = []
      for step in 0..<70 {
        _ = try await RotateKeys.run(.init(tenant: "messai", now: immediately), apps.asOperator)
        try await apps.reload()
        // One backend after the other: their caches are of every age.
        for index in backends.indices where index <= step { try await backends[index].look(apps) }
        let next = try await apps.refresh(.messai, refresh).json
        refresh = next.refreshToken
        let key = try kid(next.accessToken)
        signers.insert(key)
        tokens.append((key, apps.server.clock.now.addingTimeInterval(900)))
        tokens.removeAll { $0.expires <= apps.server.clock.now }
        for backend in backends where !backend.known.isEmpty {
          misses += tokens.count { !backend.known.contains($0.kid) }
        }
        apps.server.clock.advance(seconds: 30)
      }
      #expect(signers.count > 50)  // every rotation but the first few had another key sign
      // In a hurry verifiers do meet keys that they do not have: that is what the wait is for.
      #expect(immediately ? misses > 0 : misses == 0)
      // What is over is gone: the next keys, the one that signs, those whose tokens live.
      let keys = try await apps.messai.get("/.well-known/jwks.json").json["keys"]?.array ?? []
      #expect(keys.count < 60)
    }
  }

  @Test("T075 a key outlives the tokens of the policy it signed under, however short the policy makes them later")
  func shortened() async throws {
    try await ThreeApps.run { apps in
      let text = PolicyText.withoutTests(try TestLists.policy("messai"))
      let first = try kid(try await apps.signUp(.messai).json.accessToken)
      _ = try await apps.server.apply(
        text.replacing("access_token_ttl: 15m", with: "access_token_ttl: 1m"), to: "messai", allowsWeaker: true)
      func rotate(after seconds: Double) async throws -> Bool {
        apps.server.clock.advance(seconds: seconds)
        let keys = try await RotateKeys.run(.init(tenant: "messai"), apps.asOperator).items
        return keys.contains { $0.kid == first }
      }
      var held: [Bool] = []
      for seconds in [0, Double(Keys.leadSeconds), 300, 720, 1] { held.append(try await rotate(after: seconds)) }
      #expect(held == [true, true, true, true, false])
    }
  }

  @Test("T075 a key that may be compromised is taken out at once; sessions stay, and a new key signs")
  func retired() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.messai).json
      let first = try kid(up.accessToken)
      _ = try await RetireKey.run(.init(tenant: "messai", kid: first), apps.asOperator)
      try await apps.reload()
      let refused = try await apps.me(.messai, up.accessToken)
      #expect(refused.code == "unauthenticated")
      let next = try await apps.refresh(.messai, up.refreshToken).json
      let accepted = try await apps.me(.messai, next.accessToken)
      let signer = try kid(next.accessToken)
      #expect(accepted.status == 200 && signer != first)
      await #expect(throws: OperatorError.self) {
        _ = try await RetireKey.run(.init(tenant: "messai", kid: first), apps.asOperator)
      }
    }
  }

  @Test(
    "T075 another key-encryption key: both are accepted meanwhile, who stops in the middle goes on, and the old one ends"
  )
  func rewrapped() async throws {
    try await ThreeApps.run { one in
      let old = one.server.services.keyEncryptionKey
      let new = try SealingKey.random(version: 1)
      let up = try await one.signUp(.messai).json
      // The first step of the change: servers that have both, and seal under the new one.
      let both = try await one.server.sibling(keys: (new, old))
      let stranger = try await one.server.sibling(keys: (new, nil))
      #expect(stranger.services.registry.all.isEmpty && stranger.services.registry.failures.count == 3)
      await stranger.stop()
      struct Stopped: Error {}
      await #expect(throws: Stopped.self) {
        _ = try await RewrapKeys.run(.init(), both.asOperator) { done, _ in
          if done == 1 { throw Stopped() }
        }
      }
      // In the middle: a server with both serves every client, whether it begins now or goes on.
      let middle = try await one.server.sibling(keys: (old, new))
      #expect(middle.services.registry.all.count == 3 && middle.services.registry.failures.isEmpty)
      await middle.stop()
      let dry = try await RewrapKeys.run(.init(dryRun: true), both.asOperator)
      #expect(dry.before == 1 && dry.remaining == 2 && dry.rewrapped == 0)
      let rest = try await RewrapKeys.run(.init(), both.asOperator)
      #expect(rest.before == 1 && rest.rewrapped == 2 && rest.remaining == 0)
      let again = try await RewrapKeys.run(.init(), both.asOperator)
      #expect(again.before == 3 && again.rewrapped == 0)
      await both.stop()
      // The end: the new key alone. What was sealed before opens, for the data keys are what they were.
      let after = try await one.server.sibling(keys: (new, nil))
      let refreshed = try await TestClient(after.url + "/t/messai").post(
        "/v1/token", #"{"refresh_token":"\#(up.refreshToken)"}"#)
      let me = try await TestClient(after.url + "/t/messai").get("/v1/me", token: up.accessToken)
      #expect(after.services.registry.all.count == 3 && refreshed.status == 200 && me.status == 200)
      // And the old one alone opens nothing any more.
      let unknown = try await RewrapKeys.run(.init(), one.asOperator)
      #expect(unknown.unknown.sorted() == ["dd-ride", "messai", "vibes"])
      await after.stop()
    }
  }

  @Test("T075 no key is in a dump in clear: neither those that sign, nor the data keys, nor the one above them")
  func dump() async throws {
    try await ThreeApps.run { apps in
      _ = try await RotateKeys.run(.init(tenant: "messai"), apps.asOperator)
      let dump = try await apps.server.storage.dump()
      let tenant = try await tenant(apps)
      #expect(tenant.keys.published.count == 2)
      for key in tenant.keys.published {
        let bytes = try key.read().pkcs8().expose { $0 }
        #expect(!dump.contains(Hex.encode(bytes)) && !dump.contains(Data(bytes).base64EncodedString()))
        // RFC 5915: the private number itself, whatever stands around it.
        let number = Array(bytes[36..<68])
        #expect(!dump.contains(Hex.encode(number)) && !dump.contains(Base64URL.encode(number)))
        // The control: what is stored sealed is there, and the key's public name is.
        #expect(dump.contains(key.kid))
      }
      #expect(!dump.contains("PRIVATE KEY"))
      // The data key is not there either: all that is stored of it is what the key above it sealed.
      let bundle = try #require(try await apps.server.services.directory.bundle(tenant.name))
      for sealed in bundle.dataKeys {
        #expect(dump.contains(Hex.encode(sealed.sealed)))
        let place = AssociatedData(
          table: "data_key", column: "sealed", tenant: tenant.id.uuid, row: Array(String(sealed.version).utf8))
        let bytes = try apps.server.services.keyEncryptionKey.open(sealed.sealed, in: place).expose { $0 }
        #expect(bytes.count == 32 && !dump.contains(Hex.encode(bytes)))
      }
    }
  }
}
