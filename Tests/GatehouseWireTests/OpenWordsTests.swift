import Foundation
import GatehousePolicy
import GatehouseAdminWire
import GatehouseWire
import Testing

/// Clients are older than servers: what a newer server adds must not make an answer unreadable.
@Suite("Answers of a newer server")
struct OpenWordsTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try ContractJSON.decode(type, from: Data(text.utf8))
  }

  @Test("a refusal for a reason that this version does not know is read, and written as it was")
  func laterCode() throws {
    let problem = try decode(
      Problem.self,
      #"{"type":"urn:x","title":"T","status":418,"code":"a_later_code","request_id":"r","later":{"a":[1]},"next":["later:x"]}"#
    )
    #expect(problem.code.rawValue == "a_later_code" && problem.code.known == nil && problem.next == ["later:x"])
    #expect(!(problem.code == .internal))
    let again = try decode(Problem.self, String(decoding: try ContractJSON.encode(problem), as: UTF8.self))
    #expect(again == problem)
    let admin = try decode(
      AdminProblem.self,
      #"{"type":"urn:x","title":"T","status":403,"code":"a_later_code","request_id":"r","scope":"later:write"}"#)
    #expect(admin.code.known == nil && admin.scope == "later:write")
  }

  @Test("every reason of this version is known by its word", arguments: ErrorCode.allCases)
  func known(code: ErrorCode) throws {
    let problem = Problem(type: "urn:x", title: "T", status: code.status, code: code, requestID: "r")
    let read = try decode(Problem.self, String(decoding: try ContractJSON.encode(problem), as: UTF8.self))
    #expect(read.code == code && read.code.known == code && read.code.rawValue == code.rawValue)
  }

  @Test("a state that this version does not know is read, written as it was, and no known one")
  func laterState() throws {
    let text = #"{"host":"a.example","state":"parked","added_at":"2026-11-24T10:00:00Z"}"#
    let host = try decode(HostSummary.self, text)
    #expect(host.state.known == nil && host.state.rawValue == "parked" && !(host.state == .waiting))
    let again = try decode(HostSummary.self, String(decoding: try JSONEncoder().encode(host), as: UTF8.self))
    #expect(again == host)
  }

  @Test("what became of a text is written as its word", arguments: PolicyOutcome.Outcome.allCases)
  func outcome(outcome: PolicyOutcome.Outcome) throws {
    let written = try JSONEncoder().encode(PolicyOutcome(tenant: "t", outcome: outcome, revision: 2))
    #expect(String(decoding: written, as: UTF8.self).contains("\"outcome\":\"\(outcome.rawValue)\""))
    #expect(try decode(PolicyOutcome.self, String(decoding: written, as: UTF8.self)).outcome.known == outcome)
  }

  @Test("a session with words and members of later is read, and one without a refresh token")
  func laterSession() throws {
    let answer = try decode(
      SessionAnswer.self,
      """
      {"access_token":"a","token_type":"DPoP","expires_in":1,"session":{"id":"s","created_at":"2026-11-24T10:00:00Z",
      "expires_at":"2026-11-25T10:00:00Z","later":1},"access":"frozen","next":["later:word"],
      "warnings":[{"rule":"r","message":"m","later":true}],"policy":{"revision":1,"later":null},"later":[{}]}
      """)
    #expect(answer.refreshToken == nil && answer.access == "frozen" && answer.next == ["later:word"])
  }

  /// As a server of before answers it.
  private static let policy = """
    {"tenant":"t","revision":1,"digest":"d","app":{"name":"A"},
    "fields":[{"name":"f","type":"colour","required":false,"trim":false,"write":"later","visible_to":"later"}],
    "rules":[{"id":"f.later","kind":"later","pointer":"/profile/f","params":{"min":1},"message":"M","enforce":"soon",
    "checked_on_submit":false}],"password":{"passwordrules":""},"providers":[{"name":"p","use":"later"}],
    "verification":{"method":"later","resend_after":60,"on_sign_up":true},"access":{"full":["later"]},
    "theme":{"dark_mode":"later"},"languages":["en"]}
    """

  @Test("the public policy of an older server is read without the newer members, and words of later are read")
  func publicPolicy() throws {
    let old = try decode(PublicPolicy.self, Self.policy)
    #expect(old.identifiers == nil && old.rules[0].doors == nil && old.rules[0].hasExceptions == nil)
    #expect(old.fields[0].region == nil && old.fields[0].unique == nil && old.fields[0].type == "colour")
    #expect(old.fields[0].label == nil && old.fields[0].atSignUp == nil)
    let new = try decode(
      PublicPolicy.self,
      Self.policy.replacing("\"languages\"", with: "\"identifiers\":{\"phone\":{}},\"later\":1,\"languages\"")
        .replacing("\"checked_on_submit\"", with: "\"doors\":[\"later\"],\"has_exceptions\":true,\"checked_on_submit\"")
    )
    #expect(new.identifiers == PublicPolicy.Identifiers(email: nil) && new.rules[0].doors == ["later"])
  }
}
