import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Values that a provider adds by itself refuse no sign-in")
struct DecorationTests {
  /// A name as a provider sends it, and what becomes of it in a required field of 2 to 50 characters; nil: it is asked
  /// for.
  private static let names: [(told: String, stored: String?)] = [
    ("Al", "Al"), ("A", nil), ("   ", nil), ("\u{3164}", nil), (" Al\u{202E}ia ", "Alia"),
    (String(repeating: "n", count: 51), String(repeating: "n", count: 50)),
    (String(repeating: "n", count: 200), String(repeating: "n", count: 50)),
    (String(repeating: "n", count: 2049), nil),
    (String(repeating: "n", count: 49) + "e\u{323}\u{302}x", String(repeating: "n", count: 49)),
  ]

  @Test("a name that breaks a rule is cut or asked for, and its person is in", arguments: names.indices)
  func name(index: Int) async throws {
    let (told, stored) = Self.names[index]
    try await ProvidedApps.run { provided in
      let answer = try await provided.google(.messai, "g1", ["name": .string(told)])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer.json["user"]?["profile"]?["displayName"]?.string == stored, "\(answer.text)")
    }
  }

  @Test("a required name that is left out is the next step, and typing it opens the rest")
  func asked() async throws {
    try await ProvidedApps.run { provided in
      let answer = try await provided.google(.ride, "g1", ["email": .string("w@ksu.edu"), "name": .string(" ")])
      #expect(answer.status == 200 && answer.json.next.contains("profile:name"), "\(answer.text)")
      let typed = try await provided.apps.ride.send(
        "PATCH", "/v1/me", #"{"profile":{"name":"Willie","phoneNumber":"785-555-0123"}}"#,
        token: answer.json.accessToken)
      #expect(typed.status == 200 && typed.json["access"] == .string("full"), "\(typed.text)")
    }
  }

  @Test("the app's own value is held to the rules, beside a provider's that is left out")
  func typed() async throws {
    try await ProvidedApps.run { provided in
      let answer = try await provided.google(
        .messai, "g1", ["picture": .string("http://example.com/a.jpg")], more: #","profile":{"displayName":"A"}"#)
      #expect(answer.status == 422 && answer.rules == ["displayName.min_length"], "\(answer.text)")
      let fine = try await provided.google(.messai, "g1", ["picture": .string("http://example.com/a.jpg")])
      #expect(fine.status == 200 && fine.json["user"]?["profile"]?["photoURL"]?.string == nil, "\(fine.text)")
      let pictured = try await provided.google(.messai, "g2", ["picture": .string("https://example.com/a.jpg")])
      #expect(pictured.json["user"]?["profile"]?["photoURL"]?.string == "https://example.com/a.jpg", "\(pictured.text)")
    }
  }

  @Test("a provider's value that another account has is left out; the same from the app is refused")
  func taken() async throws {
    let unique = "displayName:\n      type: string\n      unique: ignore_case"
    try await ProvidedApps.run(
      policy: { app, text in
        app == .messai
          ? PolicyText.withoutTests(text).replacing("displayName:\n      type: string", with: unique) : text
      }
    ) { provided in
      let first = try await provided.google(.messai, "g1", ["name": .string("Nova")])
      #expect(first.json["user"]?["profile"]?["displayName"]?.string == "Nova", "\(first.text)")
      let second = try await provided.google(.messai, "g2", ["name": .string("NOVA")])
      #expect(second.status == 200 && second.json["user"]?["profile"]?["displayName"]?.string == nil, "\(second.text)")
      let third = try await provided.google(.messai, "g3", more: #","profile":{"displayName":"nova"}"#)
      #expect(third.status == 422 && third.rules == ["displayName.unique"], "\(third.text)")
    }
  }

  /// Claims in forms that are legal and unusual.
  private static let claims: [(name: String, value: @Sendable (Int64) -> JSONValue, email: String?)] = [
    ("email", { _ in .null }, nil), ("email", { _ in .string("") }, nil), ("azp", { _ in .null }, "g1@gmail.com"),
    ("azp", { _ in .string("") }, "g1@gmail.com"), ("nbf", { _ in .null }, "g1@gmail.com"),
    ("iat", { .number("\($0).25") }, "g1@gmail.com"), ("exp", { .number("\($0 + 60).5") }, "g1@gmail.com"),
    ("aud", { _ in .array([.string(SigningProviders.googleClient)]) }, "g1@gmail.com"),
    ("name", { _ in .null }, "g1@gmail.com"), ("name", { _ in .integer(7) }, "g1@gmail.com"),
  ]

  @Test("an ID token whose claims are null, empty, a list or a fraction is read", arguments: claims.indices)
  func claim(index: Int) async throws {
    let (name, value, email) = Self.claims[index]
    try await ProvidedApps.run { provided in
      let now = Int64(provided.providers.clock.now.timeIntervalSince1970)
      let token = try provided.providers.token("g1", as: [name: value(now)])
      let answer = try await provided.apps.vibes.post("/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"}"#)
      if let email {
        #expect(answer.status == 200 && answer.json["user"]?["email"] == .string(email), "\(answer.text)")
      } else {
        // The token is fine; an account needs an address, which the app can ask for.
        #expect(answer.status == 422 && answer.rules == ["email.required"], "\(answer.text)")
      }
    }
  }
}
