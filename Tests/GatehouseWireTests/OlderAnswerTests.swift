import Foundation
import GatehouseWire
import Testing

@Suite("Answers of earlier servers, which had no sentences")
struct OlderAnswerTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try ContractJSON.decode(type, from: Data(text.utf8))
  }

  private func names(_ value: some Encodable) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: ContractJSON.encode(value)) as? [String: Any]
    return Set(object?.keys.map { $0 } ?? [])
  }

  @Test("a violation, a warning and a verdict are read without a sentence, and written without one")
  func sentences() throws {
    let error = try decode(
      ProblemError.self, #"{"pointer":"/password","rule":"password.min6","message":"At least 6 characters"}"#)
    #expect(error.sentence == nil)
    #expect(try names(error) == ["pointer", "rule", "message"])
    let warning = try decode(RuleWarning.self, #"{"rule":"password.min6","message":"At least 6 characters"}"#)
    #expect(warning.sentence == nil)
    #expect(try names(warning) == ["rule", "message"])
    let verdict = try decode(
      PasswordRuleVerdict.self, #"{"rule":"password.min6","verdict":"fail","message":"At least 6 characters"}"#)
    #expect(verdict.sentence == nil)
    #expect(try names(verdict) == ["rule", "verdict", "message"])
  }

  @Test("a problem is read without requirements and provider, and written without them")
  func problem() throws {
    let problem = try decode(
      Problem.self,
      #"{"type":"urn:gatehouse:problem:access_limited","title":"Something is still missing.","status":403,"#
        + #""code":"access_limited","request_id":"r","next":["verify_email"]}"#)
    #expect(problem.requirements == nil && problem.provider == nil)
    #expect(try names(problem) == ["type", "title", "status", "code", "request_id", "next"])
  }

  @Test("a reset that was asked for is read with and without an id")
  func reset() throws {
    let old = try decode(RequestPasswordResetEndpoint.Output.self, #"{"resend_after":60}"#)
    #expect(old.resetID == nil && old.resendAfter == 60)
    #expect(
      try names(RequestPasswordResetEndpoint.Output(resendAfter: 60, resetID: "id")) == ["resend_after", "reset_id"])
  }

  @Test("a sign-up that waits is read with and without requirements")
  func pending() throws {
    let old = try decode(SignUpAnswer.self, #"{"next":["verify_email"],"sign_up_id":"id"}"#)
    #expect(old == .pending(.init(next: ["verify_email"], requirements: nil, signUpID: "id")))
    #expect(try names(old) == ["next", "sign_up_id"])
    let new = SignUpAnswer.pending(
      .init(
        next: ["verify_email"], requirements: [AccessRequirement(need: "verify_email", message: "Please")],
        signUpID: "id"))
    #expect(try decode(SignUpAnswer.self, String(decoding: ContractJSON.encode(new), as: UTF8.self)) == new)
  }
}
