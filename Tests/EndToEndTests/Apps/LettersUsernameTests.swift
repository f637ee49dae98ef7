import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Usernames of letters")
struct LettersUsernameTests {
  private func signUp(_ name: String, _ number: Int, _ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.vibes.post(
      "/v1/sign-up",
      #"{"email":"p\#(number)@example.com","password":"\#(App.password)","profile":{"username":"\#(name)"}}"#)
  }

  @Test(
    "where Zoë is taken, so is each spelling of it, at a sign-up and at a change; the spelling that was chosen is shown"
  )
  func taken() async throws {
    let policy: (App, String) -> String = { app, text in
      app == .vibes
        ? PolicyText.withoutTests(text).replacing(#"charset: "a-zA-Z0-9_.""#, with: "charset: letters") : text
    }
    try await ThreeApps.run(policy: policy) { apps in
      let first = try await signUp("Zoe\u{308}", 0, apps)
      #expect(first.status == 201 && first.json["user"]?["profile"]?["username"] == .string("Zoë"), "\(first.text)")
      for (number, name) in ["zoe", "ZOË", "Zoe\u{308}", "Zoë", "zoé"].enumerated() {
        let other = try await signUp(name, number + 1, apps)
        #expect(other.status == 422 && other.rules == ["username.unique"], "\(name): \(other.text)")
      }
      let free = try await signUp("Zora", 10, apps)
      #expect(free.status == 201, "\(free.text)")
      let renamed = try await apps.vibes.send(
        "PATCH", "/v1/me", #"{"profile":{"username":"ZOE"}}"#, token: free.json.accessToken)
      #expect(renamed.rules == ["username.unique"], "\(renamed.text)")
      let other = try await signUp("zoe7", 11, apps)
      #expect(other.status == 422 && other.rules == ["username.charset"], "\(other.text)")
      #expect(try await signUp("ádmín", 12, apps).rules == ["username.reserved"])
    }
  }
}
