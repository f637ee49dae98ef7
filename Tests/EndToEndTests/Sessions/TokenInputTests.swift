import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What the token endpoint takes")
struct TokenInputTests {
  private static let verifier = String(repeating: "v", count: 43)
  private static let code = "gh_hb_" + String(repeating: "A", count: 43)

  /// Inputs of a wrong shape, with the member that the refusal points to. `TOKEN` stands for a good refresh token.
  private static let wrong: [(body: String, pointer: String)] = [
    ("{}", "/refresh_token"),
    (#"{"include":"user"}"#, "/refresh_token"),
    (#"{"code_verifier":"\#(verifier)"}"#, "/refresh_token"),
    (#"{"refresh_token":"TOKEN","code":"\#(code)"}"#, "/code"),
    (#"{"refresh_token":"TOKEN","code":"\#(code)","code_verifier":"\#(verifier)"}"#, "/code"),
    (#"{"refresh_token":"TOKEN","code_verifier":"\#(verifier)"}"#, "/code_verifier"),
    (#"{"refresh_token":"TOKEN","device":{"name":"phone"}}"#, "/device"),
    (#"{"refresh_token":"TOKEN","include":"everything"}"#, "/include"),
    (#"{"code":"\#(code)"}"#, "/code_verifier"),
    (#"{"code":"\#(code)","code_verifier":"\#(verifier)","include":"user"}"#, "/include"),
    (#"{"code":"\#(code)","code_verifier":"\#(verifier.dropLast())"}"#, "/code_verifier"),
    (#"{"code":"\#(code)","code_verifier":"\#(String(repeating: "v", count: 129))"}"#, "/code_verifier"),
    (#"{"code":"\#(code)","code_verifier":"\#(verifier.dropLast())+"}"#, "/code_verifier"),
    (#"{"code":"\#(code)","code_verifier":"\#(verifier.dropLast(2))é"}"#, "/code_verifier"),
    (#"{"code":"\#(code)","code_verifier":"\#(verifier)","state":"s"}"#, "/state"),
    (#"{"refresh_token":"TOKEN","grant_type":"refresh_token"}"#, "/grant_type"),
  ]

  @Test("exactly one of a refresh token and a code is taken, with what goes with it, and a refused token is not spent")
  func exactlyOne() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.messai).json.refreshToken
      for (body, pointer) in Self.wrong {
        let answer = try await apps.messai.post("/v1/token", body.replacing("TOKEN", with: token))
        #expect(answer.status == 400 && answer.code == "malformed_request", "\(body): \(answer.text)")
        #expect(answer.json["detail"]?.string?.hasPrefix(pointer + ": ") == true, "\(body): \(answer.text)")
      }
      #expect(try await apps.refresh(.messai, token).status == 200)
    }
  }

  @Test(
    "a code that is none is not valid, whatever verifier it comes with",
    arguments: [code, "", "gh_ac_" + code.dropFirst(6), "gh_rt_" + code.dropFirst(6)])
  func noCode(code: String) async throws {
    try await ThreeApps.run { apps in
      for verifier in [Self.verifier, String(repeating: "-._~", count: 32)] {
        let body = #"{"code":"\#(code)","code_verifier":"\#(verifier)","device":{"name":"phone"}}"#
        let answer = try await apps.messai.post("/v1/token", body)
        #expect(answer.status == 400 && answer.code == "code_invalid", "\(answer.text)")
      }
    }
  }
}
