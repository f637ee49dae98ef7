import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// Python's openapi-spec-validator and jsonschema.
enum DescriptionCheck {
  /// Beside what the validator says: operation ids are unique (OpenAPI 3.1.0 section 4.8.10).
  private static let script = """
    import json, sys
    sys.path.insert(0, sys.argv[1])
    from openapi_spec_validator import OpenAPIV31SpecValidator
    document = json.load(sys.stdin)
    problems = ["/".join(map(str, error.absolute_path)) + ": " + str(error.message)[:200]
                for error in OpenAPIV31SpecValidator(document).iter_errors()]
    names = [operation.get("operationId") for item in document.get("paths", {}).values()
             for method, operation in item.items() if method != "parameters"]
    problems += [f"operationId {name} is not unique" for name in set(names) if names.count(name) > 1]
    print("\\n".join(problems), end="")
    """

  /// What is wrong with a description.
  static func problems(of document: JSONValue) throws -> [String] {
    let input = String(decoding: document.bytes, as: UTF8.self)
    let outcome = try Python.run(script, [TestLists.root + "/.build/python"], input: input)
    // A reference that leads nowhere ends the validator itself.
    if outcome.status != 0, outcome.errors.contains("PointerToNowhere") || outcome.errors.contains("Unresolvable") {
      return [outcome.errors]
    }
    guard outcome.status == 0 else { throw Broken(why: outcome.errors) }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private static let answerScript = """
    import json, sys
    from jsonschema import Draft202012Validator, RefResolver
    given = json.load(sys.stdin)
    document = given["document"]
    for number, pair in enumerate(given["pairs"]):
        validator = Draft202012Validator(pair["schema"], resolver=RefResolver("", document))
        for error in validator.iter_errors(pair["body"]):
            print(number, "/".join(map(str, error.absolute_path)), error.message[:200])
    """

  /// What is wrong with bodies, each by its schema in the description.
  static func problems(_ pairs: [(schema: JSONValue, body: JSONValue)], in document: JSONValue) throws -> [String] {
    let given = JSONValue.object([
      "document": document, "pairs": .array(pairs.map { .object(["schema": $0.schema, "body": $0.body]) }),
    ])
    let outcome = try Python.run(answerScript, input: String(decoding: given.bytes, as: UTF8.self))
    guard outcome.status == 0 else { throw Broken(why: outcome.errors) }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  struct Broken: Error { let why: String }
}

@Suite("The API's description, by validators that are not ours")
struct OpenAPITests {
  private let document = OpenAPI.document("https://auth.example.com")

  @Test("it is a valid description by OpenAPI 3.1")
  func valid() throws {
    #expect(try DescriptionCheck.problems(of: document) == [])
  }

  @Test("T100 the two addresses that providers send browsers back to are in it, as pages and redirects")
  func landings() {
    for (path, status) in [("/v1/sign-in/{provider}/callback", "303"), ("/v1/links/{provider}/callback", "200")] {
      let item = document["paths"]?["/t/{tenant}" + path]
      #expect(Set(item?.object?.members.map(\.key) ?? []) == ["parameters", "get", "post"])
      #expect(item?["get"]?["responses"]?[status] != nil && item?["get"]?["security"] == .array([]))
      let asked = (item?["get"]?["parameters"]?.array ?? []).compactMap { $0["name"]?.string }
      #expect(Set(asked).isSuperset(of: ["provider", "state", "code", "error", "iss"]))
      #expect(item?["post"]?["responses"]?["303"]?["headers"]?["Location"] != nil)
    }
  }

  @Test(
    "policy and key set are described with their fields for caches, and answered so",
    arguments: [
      "/v1/policy", "/.well-known/jwks.json",
    ])
  func documents(path: String) async throws {
    try await SharedServer.run { server in
      let client = TestClient(server.url + "/t/messai")
      let answer = try await client.get(path)
      let responses = document["paths"]?["/t/{tenant}" + path]?["get"]?["responses"]
      let described = try #require(responses?["200"])
      let fields = (described["headers"]?.object?.members ?? []).map(\.key)
      #expect(fields.allSatisfy { answer.headers[$0.lowercased()] != nil }, "\(fields)")
      #expect(described["headers"]?["Cache-Control"]?["description"]?.string == answer.headers["cache-control"])
      #expect(fields.contains("Vary") == (answer.headers["vary"] != nil))
      let schema = try #require(described["content"]?["application/json"]?["schema"])
      #expect(try DescriptionCheck.problems([(schema, answer.json)], in: document) == [])
      let again = try await client.send("GET", path, headers: ["If-None-Match": answer.headers["etag"] ?? ""])
      #expect(again.status == 304 && responses?["304"] != nil)
      let none = try await TestClient(server.url + "/t/none").get(path)
      #expect(responses?[String(none.status)]?["description"]?.string?.contains(none.code ?? "none") == true)
    }
  }

  @Test("T131 a sign-up that waits is described under its own status, with every member of its answer")
  func waitingSignUp() throws {
    let responses = document["paths"]?["/t/{tenant}/v1/sign-up"]?["post"]?["responses"]
    func members(_ status: String) -> Set<String> {
      let schema = responses?[status]?["content"]?["application/json"]?["schema"]
      return Set(schema?["properties"]?.object?.members.map(\.key) ?? [])
    }
    let answer = try JSONEncoding.value(
      SignUpAnswer.pending(
        .init(
          next: ["verify_email"], requirements: [AccessRequirement(need: "verify_email", message: "Please")],
          signUpID: "id")), spelling: .contract)
    #expect(members("202") == Set(answer.object?.members.map(\.key) ?? []))
    #expect(members("201").contains("access_token"))
  }

  @Test("an answer may gain members, and a request may not")
  func open() throws {
    let all = (document["paths"]?.object?.members ?? []).flatMap { $0.value.object?.members ?? [] }.map(\.value)
    let bodies = all.compactMap { $0["requestBody"]?["content"]?["application/json"]?["schema"] }
    #expect(bodies.count > 10)
    #expect(bodies.allSatisfy { $0["additionalProperties"] == .bool(false) })
    let answers = all.flatMap { $0["responses"]?.object?.members ?? [] }
      .compactMap { $0.value["content"]?["application/json"]?["schema"] }
    #expect(answers.count > 10)
    #expect(!answers.contains { String(decoding: $0.bytes, as: UTF8.self).contains(#""additionalProperties":false"#) })
  }

  @Test("what exchanges a refresh token says what its key does, and what raises access says that the app refreshes")
  func words() {
    func operation(_ path: String, _ method: String = "post") -> JSONValue? {
      document["paths"]?["/t/{tenant}" + path]?[method]
    }
    for path in ["/v1/token", "/v1/reauthenticate"] {
      let keys = (operation(path)?["parameters"]?.array ?? []).filter { $0["name"] == .string("Idempotency-Key") }
      #expect(keys.count == 1 && keys.first?["description"]?.string?.contains("however late") == true, "\(path)")
      #expect(operation(path)?["description"]?.string?.contains("Idempotency-Key") == true)
    }
    for (path, method) in [
      ("/v1/email-verification/confirm", "post"), ("/v1/me/links/{provider}/complete", "post"), ("/v1/me", "patch"),
    ] {
      #expect(
        operation(path, method)?["description"]?.string?.contains("refreshes (POST /v1/token)") == true, "\(path)")
    }
    #expect(operation("/v1/token")?["requestBody"]?["content"]?["application/json"]?["schema"]?["required"] == nil)
  }

  @Test("a code of a refusal is one of those there are, or one that comes later")
  func openCodes() throws {
    let schema = try #require(document["components"]?["schemas"]?["Problem"]?["properties"]?["code"])
    #expect(schema["anyOf"]?.array?.count == 2)
    let pairs = ["account_disabled", "a_later_code"].map { (schema: schema, body: JSONValue.string($0)) }
    #expect(try DescriptionCheck.problems(pairs, in: document) == [])
  }

  @Test("the validator finds what is wrong")
  func negativeControl() throws {
    var wrong = try #require(document.object)
    wrong["info"] = .object(["title": .string("no version")])
    #expect(try !DescriptionCheck.problems(of: .object(wrong)).isEmpty)
    wrong = try #require(document.object)
    var paths = try #require(wrong["paths"]?.object)
    let get = JSONValue.object(["responses": .object(["200": .object(["description": .string("well")])])])
    paths["/t/{tenant}/v1/{other}"] = .object(["get": get])
    wrong["paths"] = .object(paths)
    #expect(try DescriptionCheck.problems(of: .object(wrong)).contains { $0.contains("'other'") })
    paths["/t/{tenant}/v1/{other}"] = .object([
      "get": .object(["responses": .object(["200": .object(["$ref": .string("#/components/responses/None")])])])
    ])
    wrong["paths"] = .object(paths)
    #expect(try DescriptionCheck.problems(of: .object(wrong)).contains { $0.contains("None") })
    let integer = JSONValue.object(["type": .string("integer")])
    #expect(try !DescriptionCheck.problems([(integer, .string("1"))], in: document).isEmpty)
    #expect(try DescriptionCheck.problems([(integer, .integer(1))], in: document).isEmpty)
  }

  @Test("the server's answers agree with the API description")
  func answers() async throws {
    let server = try await TestServer.start(policies: ["messai": try TestLists.policy("messai")])
    do {
      try await judge(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private func judge(_ server: TestServer) async throws {
    let client = TestClient(server.url + "/t/messai")
    let up = try await client.post(
      "/v1/sign-up", #"{"email":"al@example.com","password":"kt49xw","profile":{"displayName":"Al"}}"#)
    let token = try #require(up.json["access_token"]?.string)
    let refresh = try #require(up.json["refresh_token"]?.string)
    let id = try #require(up.json["user"]?["id"]?.string)
    let served = try await TestClient(server.url).get("/openapi.json")
    #expect(served.headers["content-type"] == "application/json")
    let document = served.json
    #expect(document["paths"] == self.document["paths"])
    let calls: [(String, String, String?, Int)] = [
      ("POST", "/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#, 200),
      ("POST", "/v1/sign-in", #"{"email":"al@example.com","password":"kt49xx"}"#, 401),
      ("POST", "/v1/sign-up", #"{"email":"a","password":"k","profile":{"displayName":"A"}}"#, 422),
      ("POST", "/v1/token", #"{"refresh_token":"\#(refresh)","include":"user"}"#, 200),
      ("POST", "/v1/password-check", #"{"password":"kt49"}"#, 200),
      ("POST", "/v1/explain", #"{"email":"a","password":"kt49"}"#, 200),
      ("POST", "/v1/email-verification", #"{"email":"nobody@example.com"}"#, 202),
      ("POST", "/v1/password-reset", #"{"email":"nobody@example.com"}"#, 202),
      ("GET", "/v1/me", nil, 200), ("PATCH", "/v1/me", #"{"profile":{"displayName":"Alan"}}"#, 200),
      ("PUT", "/v1/me/presence", #"{"online":true}"#, 200), ("GET", "/v1/me/sessions", nil, 200),
      ("GET", "/v1/users/\(id)", nil, 200), ("GET", "/v1/users?ids=\(id)", nil, 200),
      ("GET", "/v1/users?prefix=alan", nil, 200), ("GET", "/v1/users?username=alan", nil, 403),
      ("GET", "/v1/users/\(UUID().text)", nil, 404),
    ]
    var pairs: [(schema: JSONValue, body: JSONValue)] = []
    for (method, path, body, status) in calls {
      let answer = try await client.send(method, path, body, token: token)
      #expect(answer.status == status, "\(method) \(path): \(answer.text)")
      let template = path.replacing(id, with: "{id}").split(separator: "?")[0]
        .replacing(/users\/[0-9a-f-]{36}/, with: "users/{id}")
      let responses = document["paths"]?["/t/{tenant}" + template]?[method.lowercased()]?["responses"]
      let type = status < 300 ? "application/json" : "application/problem+json"
      #expect(answer.headers["content-type"] == type)
      let schema = responses?[String(status)]?["content"]?[type]?["schema"]
      pairs.append((try #require(schema, "\(method) \(path)"), answer.json))
    }
    #expect(try DescriptionCheck.problems(pairs, in: document) == [])
  }
}
