import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension JSONValue {
  fileprivate var items: [JSONValue] { self["items"]?.array ?? [] }
  fileprivate var ids: Set<String> { Set(items.compactMap { $0["id"]?.string }) }
}

extension ThreeApps {
  /// A lookup of a user.
  fileprivate func find(_ app: App, _ way: String, _ text: String, as user: JSONValue) async throws -> TestClient.Answer
  {
    let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    return try await client(app).get("/v1/users?\(way)=\(escaped)", token: user.accessToken)
  }

  /// A user of messAI with this display name.
  fileprivate func named(_ name: String, _ local: String) async throws -> JSONValue {
    let profile = try #require(String(bytes: JSONEncoder().encode(["displayName": name]), encoding: .utf8))
    let body = #"{"email":"\#(App.messai.email(local))","password":"\#(App.password)","profile":\#(profile)}"#
    let up = try await messai.post("/v1/sign-up", body)
    #expect(up.status == 201, "\(up.text)")
    return up.json
  }
}

@Suite("Lookups of users by other users")
struct DirectoryTests {
  /// Al of messAI looks for others; `replaced` are other words in its policy.
  private func run(
    _ replaced: [(String, String)] = [], _ body: (ThreeApps, JSONValue) async throws -> Void
  ) async throws {
    try await ThreeApps.run(policy: { app, file in
      let text = PolicyText.withoutTests(file)
      return switch app {
      case .messai: replaced.reduce(text) { $0.replacing($1.0, with: $1.1) }
      case .vibes: text.replacing(#""linked:spotify"]"#, with: #"{need: "linked:spotify", enforce: warn}]"#)
      case .ride: text
      }
    }) { apps async throws in try await body(apps, try await apps.signUp(.messai, "al").json) }
  }

  @Test("a proven address finds its owner in every spelling, and shows what users see of others")
  func email() async throws {
    try await run { apps, al async throws in
      let bo = try await apps.signUp(.messai, "bo").json
      try await Operator.verify(.messai, "bo", apps)
      for spelling in ["bo@example.com", "BO@Example.COM"] {
        let found = try await apps.find(.messai, "email", spelling, as: al)
        #expect(found.json.ids == [bo.userID], "\(found.text)")
        #expect(found.json.items.first?.names == ["id", "profile", "presence"] && found.json["next_cursor"] == nil)
        #expect(found.json.items.first?["profile"] == .object(["displayName": .string("bo")]))
        #expect(!found.text.contains("@"))
      }
    }
  }

  @Test("an address that is unknown, unproven, of a disabled account or of another app's has one answer")
  func even() async throws {
    try await run { apps, al async throws in
      for name in ["off", "unproven", "proven"] { _ = try await apps.signUp(.messai, name) }
      _ = try await apps.signUp(.vibes, "elsewhere")
      for name in ["off", "proven"] { try await Operator.verify(.messai, name, apps) }
      try await Operator.verify(.vibes, "elsewhere", apps)
      try await Operator.disable(.messai, "off", apps)
      _ = try await apps.find(.messai, "email", "first@example.com", as: al)
      var texts: Set<String> = []
      var statements: Set<Int> = []
      for name in ["unknown", "off", "unproven", "elsewhere"] {
        let before = apps.server.database.statistics.statements
        let answer = try await apps.find(.messai, "email", "\(name)@example.com", as: al)
        statements.insert(apps.server.database.statistics.statements - before)
        #expect(answer.status == 200, "\(name)")
        texts.insert(answer.text)
      }
      #expect(texts == [#"{"items":[]}"#] && statements.count == 1, "\(texts) \(statements)")
      #expect(try await apps.find(.messai, "email", "proven@example.com", as: al).json.items.count == 1)
    }
  }

  @Test("a name is found by its beginning, without case and marks, and no more once it is another")
  func prefix() async throws {
    try await run { apps, al async throws in
      let zoe = try await apps.named("Zoë Ångström", "zoe")
      let other = try await apps.named("Joe Zoe", "joe")
      for text in ["zo", "ZOE", "zoë å", " zoe a", "Zoe\u{308}", "ＺＯ"] {
        #expect(try await apps.find(.messai, "prefix", text, as: al).json.ids == [zoe.userID], "\(text)")
      }
      for text in ["oe", "zoea", "zoe@example", "ångström"] {
        #expect(try await apps.find(.messai, "prefix", text, as: al).json.ids == [], "\(text)")
      }
      let changed = try await apps.messai.send(
        "PATCH", "/v1/me", #"{"profile":{"displayName":"Mia"}}"#, token: zoe.accessToken)
      #expect(changed.status == 200)
      #expect(try await apps.find(.messai, "prefix", "zo", as: al).json.ids == [])
      #expect(try await apps.find(.messai, "prefix", "mi", as: al).json.ids == [zoe.userID])
      #expect(try await apps.messai.send("DELETE", "/v1/me", token: other.accessToken).status == 204)
      #expect(try await apps.find(.messai, "prefix", "joe", as: al).json.ids == [])
    }
  }

  @Test("a character with a meaning in a pattern matches itself only")
  func metacharacters() async throws {
    try await run { apps, al async throws in
      let odd = try await apps.named(#"50%_\'x"#, "odd")
      _ = try await apps.named("5000 x", "even")
      for text in ["50%", "50%_", #"50%_\'"#] {
        #expect(try await apps.find(.messai, "prefix", text, as: al).json.ids == [odd.userID], "\(text)")
      }
      for text in ["%%", "__", "5_", "5%", #"\\"#, ".*", "[0-9]", "50_"] {
        #expect(try await apps.find(.messai, "prefix", text, as: al).json.ids == [], "\(text)")
      }
    }
  }

  @Test("a text of marks alone finds no user, though it is long enough")
  func marksAlone() async throws {
    try await run { apps, al async throws in
      for text in ["\u{301}\u{301}\u{301}", "\u{301}\u{302}a"] {
        #expect(try await apps.find(.messai, "prefix", text, as: al).text == #"{"items":[]}"#)
      }
    }
  }

  @Test("a text that no lookup can be is refused, and does not count")
  func malformed() async throws {
    let texts = [
      ("prefix", "a"), ("prefix", ""), ("prefix", "   a"), ("prefix", String(repeating: "a", count: 65)),
      ("email", "al"), ("email", ""), ("email", "al@"), ("prefix", "a\u{0}b"),
    ]
    try await run([("prefix_of: [displayName]}", "prefix_of: [displayName], limit: 1/1h}")]) { apps, al async throws in
      let plus = try await apps.messai.get("/v1/users?email=bo+x@example.com", token: al.accessToken)
      #expect(plus.json["detail"]?.string == "/email: not an address; + is written %2B")
      for (way, text) in texts {
        let answer = try await apps.find(.messai, way, text, as: al)
        #expect(answer.status == 400 && answer.code == "malformed_request", "\(way) \(answer.text)")
      }
      #expect(try await apps.find(.messai, "prefix", "al", as: al).status == 200)
      #expect(try await apps.find(.messai, "prefix", "al", as: al).status == 429)
    }
  }

  @Test("an answer has twenty users at the most, in the order of their names, the whole name first")
  func page() async throws {
    try await run([("sign_up_per_ip: 20/1h", "sign_up_per_ip: 100/1h")]) { apps, al async throws in
      let late = try await apps.named("Kim", "kim")
      for number in 10..<34 { _ = try await apps.named("Kim \(number)", "kim\(number)") }
      let found = try await apps.find(.messai, "prefix", "kim", as: al)
      let names = found.json.items.compactMap { $0["profile"]?["displayName"]?.string }
      #expect(names == ["Kim"] + (10..<29).map { "Kim \($0)" })
      #expect(found.json.items.first?["id"]?.string == late.userID && found.json["next_cursor"] == nil)
    }
  }

  @Test("a disabled account is not found by a prefix, and is again when it is enabled")
  func disabled() async throws {
    try await run { apps, al async throws in
      let bo = try await apps.named("Boris", "bo")
      try await Operator.disable(.messai, "bo", apps)
      #expect(try await apps.find(.messai, "prefix", "bor", as: al).json.ids == [])
      try await Operator.disable(.messai, "bo", apps, disabled: false)
      #expect(try await apps.find(.messai, "prefix", "bor", as: al).json.ids == [bo.userID])
    }
  }

  @Test(
    "users with limited access neither look others up nor are found, and do both once they have done what was asked")
  func limited() async throws {
    try await run([("requires: []", "requires: [email_verified]")]) { apps, al async throws in
      #expect(try await apps.find(.messai, "prefix", "bor", as: al).code == "access_limited")
      try await Operator.verify(.messai, "al", apps)
      let bo = try await apps.named("Boris", "bo")
      #expect(try await apps.find(.messai, "prefix", "bor", as: al).json.ids == [])
      try await Operator.verify(.messai, "bo", apps)
      #expect(try await apps.find(.messai, "prefix", "bor", as: al).json.ids == [bo.userID])
    }
  }

  @Test(
    "T201 hundreds of sign-ups that were not proven do not hide a name, and a policy that asks for no proof finds them")
  func decoys() async throws {
    try await run([("requires: []", "requires: [email_verified]")]) { apps, _ async throws in
      try await Operator.verify(.messai, "al", apps)
      let al = try await apps.signIn(.messai, "al").json
      let nova = try await apps.named("Nova Star", "nova")
      try await Operator.verify(.messai, "nova", apps)
      let tenant = try #require(apps.server.services.registry.snapshot("messai"))
      let clock = apps.server.clock.clock
      try await apps.server.services.store.open(tenant.id).commit(
        (0..<300).map { number in
          .user(
            .insert(
              StoredUser(
                id: UserID(clock.makeID()), email: "decoy\(number)@example.com",
                profile: ["displayName": .string("Nova \(1000 + number)")], createdAt: clock.now, updatedAt: clock.now),
              unique: []))
        }, as: .operator)
      #expect(try await apps.find(.messai, "prefix", "nova", as: al).json.ids == [nova.userID])
      _ = try await apps.server.apply(
        PolicyText.withoutTests(try TestLists.policy("messai")), to: "messai", allowsWeaker: true)
      try await apps.reload()
      #expect(try await apps.find(.messai, "prefix", "nova 10", as: al).json.items.count == 20)
    }
  }

  @Test("a whole username finds its owner in any case, and a part of it only as a prefix")
  func username() async throws {
    try await run { apps, _ async throws in
      let nova = try await apps.signUp(.vibes, "Nova.Star").json
      let reader = try await apps.signUp(.vibes, "reader").json
      for text in ["Nova.Star", "nova.star", " NOVA.STAR "] {
        let found = try await apps.find(.vibes, "username", text, as: reader)
        #expect(found.json.ids == [nova.userID] && !found.text.contains("@"), "\(found.text)")
      }
      for text in ["nova", "nova_star", "nova%", "Nova.Star2"] {
        #expect(try await apps.find(.vibes, "username", text, as: reader).json.ids == [], "\(text)")
      }
      #expect(try await apps.find(.vibes, "prefix", "NOVA", as: reader).json.ids == [nova.userID])
      // Addresses are not among vibes' ways.
      #expect(try await apps.find(.vibes, "email", "Nova.Star@example.com", as: reader).code == "forbidden")
      try await Operator.disable(.vibes, "Nova.Star", apps)
      #expect(try await apps.find(.vibes, "username", "Nova.Star", as: reader).json.ids == [])
    }
  }

  @Test("without a directory no user looks others up, administrators neither, and the refusal says why")
  func off() async throws {
    try await run { apps, _ async throws in
      let ann = try await apps.signUp(.ride, "ann").json
      try await Operator.verify(.ride, "ann", apps)
      for role in ["member", "admin"] {
        try await Operator.set(.ride, "ann", ["role": .string(role)], apps)
        for (way, text) in [("email", "ann@ksu.edu"), ("username", "ann"), ("prefix", "ann"), ("email", "no address")] {
          let answer = try await apps.find(.ride, way, text, as: ann)
          #expect(answer.status == 403 && answer.code == "forbidden", "\(answer.text)")
          #expect(answer.json["detail"]?.string == "The policy lets users find no others by \(way).")
        }
      }
    }
  }

  @Test(
    "lookups are counted whether or not they find a user, by account, and one beyond the limit says when to come back")
  func limit() async throws {
    try await run([("prefix_of: [displayName]}", "prefix_of: [displayName], limit: 3/1m}")]) { apps, al async throws in
      let bo = try await apps.signUp(.messai, "bo").json
      try await Operator.verify(.messai, "bo", apps)
      for text in ["bo@example.com", "none@example.com", "no@example.com"] {
        #expect(try await apps.find(.messai, "email", text, as: al).status == 200)
      }
      apps.server.clock.advance(seconds: 20)
      for (way, text) in [("email", "bo@example.com"), ("email", "none@example.com"), ("prefix", "bo")] {
        let answer = try await apps.find(.messai, way, text, as: al)
        #expect(answer.status == 429 && answer.code == "rate_limited" && answer.retryAfter == 40, "\(answer.text)")
        #expect(answer.json["limit"] == .string("directory_per_account"))
      }
      // Neither another account's lookups nor reading by id are of this limit.
      #expect(try await apps.find(.messai, "prefix", "al", as: bo).json.ids == [al.userID])
      #expect(try await apps.messai.get("/v1/users?ids=\(bo.userID)", token: al.accessToken).status == 200)
      apps.server.clock.advance(seconds: 40)
      #expect(try await apps.find(.messai, "email", "bo@example.com", as: al).json.ids == [bo.userID])
    }
  }

  @Test("a policy that takes the directory away ends lookups as soon as it is live")
  func takenAway() async throws {
    try await run { apps, al async throws in
      #expect(try await apps.find(.messai, "prefix", "al", as: al).json.ids == [al.userID])
      #expect(try await apps.messai.get("/v1/policy").json["directory"]?["find_by"]?.array?.count == 2)
      let text = try TestLists.policy("messai").split(separator: "\n").filter { !$0.hasPrefix("directory:") }
      _ = try await apps.server.apply(text.joined(separator: "\n") + "\n", to: "messai")
      try await apps.reload()
      #expect(try await apps.find(.messai, "prefix", "al", as: al).code == "forbidden")
      #expect(try await apps.messai.get("/v1/policy").json["directory"] == nil)
    }
  }

  @Test("one selection at a time: none goes with another, nor with a page")
  func selections() async throws {
    let queries = [
      "email=a@b.co&prefix=al", "ids=x&email=a@b.co", "username=al&prefix=al", "prefix=al&limit=5",
      "email=a@b.co&query=a", "prefix=al&cursor=x", "prefix=al&prefix=bo",
    ]
    try await run { apps, al async throws in
      for query in queries {
        let answer = try await apps.messai.get("/v1/users?\(query)", token: al.accessToken)
        #expect(answer.status == 400 && answer.code == "malformed_request", "\(query) \(answer.text)")
      }
    }
  }

  @Test("without a token, or with one of another app, nothing is looked up")
  func strangers() async throws {
    try await run { apps, _ async throws in
      #expect(try await apps.messai.get("/v1/users?prefix=al").code == "unauthenticated")
      let rider = try await apps.signUp(.ride, "al").json
      #expect(try await apps.find(.messai, "prefix", "al", as: rider).code == "unauthenticated")
    }
  }
}
