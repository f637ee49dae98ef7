import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// `script/prove verify` runs the programs of all languages, each also across a rotation of keys.
@Suite("Examples/Verify, by which a backend verifies access tokens")
struct BackendVerificationTests {
  private static func file(_ path: String) throws -> String {
    try String(contentsOfFile: TestLists.root + "/" + path, encoding: .utf8)
  }

  /// What Python's program says of each token, `accepted` or `refused` with its reason, and what `main` prints behind.
  private func verdicts(
    _ tokens: [String], of app: App, limited: Bool = false, before: String = "", main: String = "", _ apps: ThreeApps
  ) throws -> [String] {
    let settings = """
      import os
      os.environ.update(ISSUER="\(apps.server.url)/t/\(app.rawValue)", AUDIENCE="\(app.rawValue)")
      \(before)

      """
    let script = try settings + Self.file("Examples/Verify/verify.py") + "\n" + main
    let outcome = try Python.run(
      script, limited ? ["--limited"] : [], input: tokens.map { $0 + "\n" }.joined())
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test("Python's program accepts its tenant's token and refuses another tenant's")
  func tenants() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.messai).json
      let other = try await apps.signUp(.ride).json.accessToken
      let said = try verdicts([up.accessToken, other, "x"], of: .messai, apps)
      #expect(said == ["accepted \(up.userID)", "refused key", "refused form"])
    }
  }

  @Test("it refuses whatever an attacker makes of a token and the public key")
  func forgeries() async throws {
    try await ThreeApps.share { apps in
      let token = try await apps.signUp(.messai).json.accessToken
      let forged = try TokenPeer(server: apps.server.url, tenant: "messai").forgeries(of: token)
      let said = try verdicts(forged.map(\.token), of: .messai, apps)
      #expect(forged.count >= 12 && said.count == forged.count)
      for (forgery, verdict) in zip(forged, said) {
        #expect(verdict.hasPrefix("refused "), "\(forgery.name): \(verdict)")
      }
    }
  }

  @Test("it refuses a token half a minute after its end", arguments: [(0, true), (931, false)])
  func expired(seconds: Int, isAccepted: Bool) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.messai).json
      let later = "import time\nclock = time.time\ntime.time = lambda: clock() + \(seconds)"
      let said = try verdicts([up.accessToken], of: .messai, before: later, apps)
      #expect(said == [isAccepted ? "accepted \(up.userID)" : "refused expired"])
    }
  }

  @Test("it refuses limited access, except where the backend allows it")
  func limited() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.ride).json
      #expect(try verdicts([up.accessToken], of: .ride, apps) == ["refused access"])
      #expect(try verdicts([up.accessToken], of: .ride, limited: true, apps) == ["accepted \(up.userID)"])
    }
  }

  @Test("it fetches the key set for a key that it does not have, and not again within ten seconds")
  func newKey() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.messai).json
      // A set that is fresh and lacks the key, as after a rotation: fetched just now, and long ago.
      let main = """
        def outcome(asked):
            KEYS.keys, KEYS.fresh_until, KEYS.asked = {}, time.monotonic() + 300, asked
            try:
                return verify("\(up.accessToken)")["sub"]
            except Refused as refusal:
                return str(refusal)

        print(outcome(time.monotonic()), outcome(-math.inf))
        """
      #expect(try verdicts([], of: .messai, main: main, apps) == ["key \(up.userID)"])
    }
  }

  @Test("docs/apps.md shows Node's program as the file has it")
  func shown() throws {
    let block = try #require(
      try Self.file("docs/apps.md").components(separatedBy: "```js\n").dropFirst().first?
        .components(separatedBy: "```\n").first)
    let file = try Self.file("Examples/Verify/verify.mjs").components(separatedBy: "\n// The program: ")
    #expect(file.count == 2 && file.first == block)
  }
}
