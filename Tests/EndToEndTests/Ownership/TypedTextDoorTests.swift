import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// Text that people paste before, after and inside an address or a code, through every door.
@Suite("Typed text at every door")
struct TypedTextDoorTests {
  /// One code point of each kind that shows nothing, as JSON escapes; those that join digits may stand inside a code.
  private static let invisible: [(name: String, escape: String, joins: Bool)] = [
    ("SPACE", " ", true), ("TAB", #"\t"#, false), ("LINE FEED", #"\n"#, false), ("NBSP", #"\u00a0"#, true),
    ("IDEOGRAPHIC SPACE", #"\u3000"#, true), ("LINE SEPARATOR", #"\u2028"#, false), ("NEL", #"\u0085"#, false),
    ("ZWSP", #"\u200b"#, true), ("LRE", #"\u202a"#, true), ("PDF", #"\u202c"#, true), ("RLI", #"\u2067"#, true),
    ("BOM", #"\ufeff"#, true), ("SOFT HYPHEN", #"\u00ad"#, true), ("HANGUL FILLER", #"\u3164"#, true),
    ("BRAILLE BLANK", #"\u2800"#, true), ("VARIATION SELECTOR", #"\ufe0f"#, true), ("TAG", #"\udb40\udc20"#, true),
  ]

  private func text(_ escape: String) throws -> String {
    try #require(try JSONSerialization.jsonObject(with: Data("[\"\(escape)\"]".utf8)) as? [String]).first ?? ""
  }

  @Test("sign-in, reset, code, look-up and change of profile forgive what shows nothing")
  func doors() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      try await Operator.verify(.ride, "pat", apps)
      let client = apps.client(.ride)
      for row in Self.invisible {
        let typed = "\(row.escape)pat@ksu.edu\(row.escape)"
        let opened = try await client.post(
          "/v1/sign-in", #"{"email":"\#(typed)","password":"\#(App.password)"}"#)
        #expect(opened.status == 200, "\(row.name) \(opened.text)")
        let inside = try await client.post(
          "/v1/sign-in", #"{"email":"pat@\#(row.escape)@ksu.edu","password":"\#(App.password)"}"#)
        #expect(inside.code == "invalid_credentials", "\(row.name) \(inside.text)")
        let shown = try await ShowUser.run(.init(tenant: "dd-ride", user: try text(typed)), apps.asOperator)
        #expect(shown.email == "pat@ksu.edu", "\(row.name)")
        let named = try await client.send(
          "PATCH", "/v1/me",
          #"{"profile":{"name":"\#(row.escape)Zoë\#(row.escape)","phoneNumber":"\#(row.escape)785-555-0123\#(row.escape)"}}"#,
          token: opened.json.accessToken)
        #expect(named.json["user"]?["profile"]?["name"] == .string("Zoë"), "\(row.name) \(named.text)")
        #expect(named.json["user"]?["profile"]?["phoneNumber"] == .string("+17855550123"), "\(row.name)")
        apps.server.clock.advance(seconds: 3600)
      }
    }
  }

  @Test("a mailed code is taken with what was pasted around it, and inside it", arguments: 0..<17)
  func codes(_ index: Int) async throws {
    let row = Self.invisible[index]
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.ride).json
      let code = try #require(try await apps.server.latestMail(to: App.ride.email())?.code)
      let inside = row.joins ? row.escape : ""
      let typed = "\(row.escape)DD Ride: \(code.prefix(3))\(inside)\(code.dropFirst(3)).\(row.escape)"
      let answer = try await apps.client(.ride).post(
        "/v1/email-verification/confirm", #"{"email":"\#(row.escape)pat@ksu.edu","code":"\#(typed)"}"#,
        token: up.accessToken)
      #expect(answer.status == 200, "\(row.name) \(answer.text)")
    }
  }

  @Test("an internationalised address is shown in Unicode, stored in ASCII, and found by both")
  func addresses() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.messai.post(
        "/v1/sign-up",
        #"{"email":"max2@MÜLLER.de","password":"\#(App.password)","profile":{"displayName":"Max"}}"#)
      #expect(up.json["user"]?["email"] == .string("max2@müller.de"), "\(up.text)")
      for typed in ["max2@müller.de", "max2@xn--mller-kva.de", "max2@mu\u{308}ller.de"] {
        let shown = try await ShowUser.run(.init(tenant: "messai", user: typed), apps.asOperator)
        #expect(shown.email == "max2@müller.de")
      }
      for part in ["müller", "max2@müller.de", "xn--mller", "MAX2@"] {
        let found = try await ListUsers.run(.init(tenant: "messai", contains: part), apps.asOperator)
        #expect(found.items.map(\.email) == ["max2@müller.de"], "\(part)")
      }
      for beginning in ["max2@müller.de", "MAX2@"] {
        let found = try await ListUsers.run(.init(tenant: "messai", query: beginning), apps.asOperator)
        #expect(found.items.map(\.email) == ["max2@müller.de"], "\(beginning)")
      }
      let claims = try Token.claims(of: up.json.accessToken)
      #expect(claims["email"] == nil || claims["email"] == .string("max2@xn--mller-kva.de"))
    }
  }

  @Test("two codes in a sentence are none")
  func twoCodes() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.ride).json
      let code = try #require(try await apps.server.latestMail(to: App.ride.email())?.code)
      let other = code == "111111" ? "222222" : "111111"
      let answer = try await apps.client(.ride).post(
        "/v1/email-verification/confirm", #"{"email":"pat@ksu.edu","code":"\#(code) or \#(other)"}"#,
        token: up.accessToken)
      #expect(answer.code == "code_invalid", "\(answer.text)")
    }
  }

  @Test("a password with another blank is the same, and its stored form is that of today")
  func passwords() async throws {
    try await ThreeApps.share { apps in
      let password = #"nbsp\u00a0Word-2031"#
      _ = try await apps.signUp(.ride, password: password)
      for typed in ["nbsp Word-2031", password, #"nbsp\u2003Word-2031"#] {
        #expect(try await apps.signIn(.ride, password: typed).status == 200, "\(typed)")
      }
      #expect(try await apps.signIn(.ride, password: "nbsp Word-2031 ").code == "invalid_credentials")
      let refused = try await apps.signUp(.ride, "kim", password: #"Tab\tWord-2031"#)
      #expect(refused.text.contains("password.syntax"), "\(refused.text)")
    }
  }
}
