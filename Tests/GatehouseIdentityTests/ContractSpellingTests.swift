import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire
import Testing

@Suite("Names of the contract")
struct ContractSpellingTests {
  @Test(
    "a declared name and its spelling lead to each other",
    arguments: [
      ("expiresIn", "expires_in"), ("requestID", "request_id"), ("redirectURI", "redirect_uri"), ("id", "id"),
      ("authorizationURL", "authorization_url"), ("signUpID", "sign_up_id"),
    ])
  func pairs(declared: String, spelled: String) {
    #expect(ContractJSON.spelled(declared) == spelled)
    #expect(ContractJSON.declared(spelled) == declared)
  }

  private let input = SignUpEndpoint.Input(
    email: "a@example.com", profile: ["displayName": .string("Al"), "first_name": .string("Al")],
    device: Device(name: "phone", id: "d"))

  @Test("the keys of a dictionary are left as they are, in both directions")
  func dictionary() throws {
    let value = try JSONEncoding.value(input, spelling: .contract)
    #expect(value["profile"]?.object?.members.map(\.key) == ["displayName", "first_name"])
    let again = try StrictDecoder.decode(SignUpEndpoint.Input.self, from: value, spelling: .contract)
    #expect(again == input)
  }

  @Test("what another standard spells stays as it is, in both directions")
  func standard() throws {
    let answer = AuthenticationAnswer(
      id: [1], clientData: [2], authenticatorData: [3], signature: [4], userHandle: nil)
    let value = try JSONEncoding.value(["passkeyAnswer": answer], spelling: .contract)
    #expect(value["passkeyAnswer"]?["rawId"] == .string("AQ"))
    #expect(value["passkeyAnswer"]?["response"]?["clientDataJSON"] == .string("Ag"))
    let again = try StrictDecoder.decode([String: AuthenticationAnswer].self, from: value, spelling: .contract)
    #expect(again == ["passkeyAnswer": answer])
  }

  @Test("Foundation's coders read and write what ours do")
  func foundation() throws {
    let problem = Problem(
      type: "t", title: "T", status: 429, code: .rateLimited, requestID: "r",
      errors: [ProblemError(pointer: "/email", rule: "r", params: ["minLength": .integer(1)], message: "m")],
      retryAfter: 3, expiresIn: 1)
    let ours = try JSONEncoding.encode(problem, spelling: .contract)
    #expect(try ContractJSON.decode(Problem.self, from: Data(ours)) == problem)
    let theirs = try ContractJSON.encode(problem)
    #expect(try StrictDecoder.decode(Problem.self, from: Array(theirs), spelling: .contract) == problem)
    #expect(try ContractJSON.decode(SignUpEndpoint.Input.self, from: ContractJSON.encode(input)) == input)
  }

  @Test("a name that is missing or unknown is named as it is spelled")
  func problems() {
    let body: JSONObject = ["currentPassword": .string("a"), "password": .string("b")]
    let found = #expect(throws: JSONProblems.self) {
      try StrictDecoder.decode(ChangePasswordEndpoint.Input.self, from: .object(body), spelling: .contract)
    }
    #expect(found?.problems.contains { $0.pointer == "/current_password" } == true)
  }

  @Test("what is stored and not of the contract is spelled as it is declared")
  func stored() throws {
    struct Stored: Codable, Equatable { var keptAt: Int }
    #expect(String(decoding: try JSONEncoding.encode(Stored(keptAt: 1)), as: UTF8.self) == #"{"keptAt":1}"#)
  }
}
