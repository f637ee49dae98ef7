import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// One row of the operators' table as HTTP sees it: where its input and output travel.
struct AdminRow: Sendable {
  /// Two policy files of the largest size, as JSON.
  static let mostBody = 1_048_576

  let route: AdminRoute
  /// The type of each name of the input, so that a query's text becomes a number or a truth value.
  private let kinds: [String: String]

  init(_ route: AdminRoute) {
    self.route = route
    let properties = Schema.of(route.input)["properties"]?.object?.members ?? []
    kinds = Dictionary(properties.map { ($0.key, $0.value["type"]?.string ?? "") }) { first, _ in first }
  }

  /// Path, query, header and body as one object. A name that is given twice is refused.
  func input(_ request: Request, parameters: PathParameters) throws -> JSONObject {
    let takesText = route.form == .text || route.form == .textAndRevision
    let type = request.headers.single("content-type")?.split(separator: ";").first.map {
      $0.lowercased().filter { $0 != " " }
    }
    let isText = takesText && type.map { ["application/yaml", "text/yaml", "text/plain"].contains($0) } ?? false
    let query = try query(request, isTaken: isText || (request.body.isEmpty && route.form != .body))
    var object = try Decoding.merged(
      body: try body(request, type, isText: isText), query: query, parameters, typed: typed)
    if route.form == .textAndRevision { try addRevision(request, to: &object) }
    return object
  }

  /// RFC 9110 section 13.1.1: the revision's tag, or `*` for any.
  private func addRevision(_ request: Request, to object: inout JSONObject) throws {
    guard object["expecting"] == nil else { throw Refusal.malformed("/expecting", "is the header If-Match here") }
    guard request.headers.contains("if-match") else { throw Refusal(.preconditionRequired, detail: Self.ifMatch) }
    let tag = request.headers.single("if-match") ?? ""
    if tag == "*" { return }
    let digits = tag.dropFirst().dropLast()
    guard tag.utf8.first == 0x22, tag.utf8.last == 0x22, (1...9).contains(digits.utf8.count),
      let number = Int64(digits), number > 0
    else { throw Refusal(.malformedRequest, detail: Self.ifMatch) }
    object["expecting"] = .integer(number)
  }

  private static let ifMatch = "If-Match must be the ETag of the revision you looked at, as \"3\", or * for any"

  private func body(_ request: Request, _ type: String?, isText: Bool) throws -> JSONObject {
    if isText {
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Refusal.malformed("/text", "must be UTF-8")
      }
      var object = JSONObject()
      object["text"] = .string(text)
      return object
    }
    guard !request.body.isEmpty else { return JSONObject() }
    guard type == "application/json", !request.isEncoded else { throw Refusal(.unsupportedMediaType) }
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONParser.parse(request.body, limits: JSONParser.Limits(size: Self.mostBody))
    } catch {
      throw Decoding.refusal([error])
    }
    guard let object = value.object else { throw Refusal.malformed("", "must be a JSON object") }
    return object
  }

  private func query(_ request: Request, isTaken: Bool) throws -> JSONObject {
    guard request.query?.isEmpty == false else { return JSONObject() }
    guard isTaken else {
      throw Refusal.malformed(
        "", route.form == .body ? "the body holds it, no query does" : "no query is taken beside a JSON body")
    }
    return try Decoding.texts(of: request.query)
  }

  /// A text of the path or the query as what the input holds under this name.
  private func typed(_ name: String, _ text: String) throws -> JSONValue {
    switch kinds[name] {
    case "integer":
      guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int64(text)
      else { throw Refusal.malformed("/" + name, "must be a whole number") }
      return .integer(number)
    case "boolean":
      guard text == "true" || text == "false" else { throw Refusal.malformed("/" + name, "must be true or false") }
      return .bool(text == "true")
    // A list in a query has commas between its members, as OpenAPI's style `form` without `explode`.
    case "array": return .array(text.split(separator: ",").map { .string(String($0)) })
    default: return .string(text)
    }
  }

  /// The verb's answer, in the route's form.
  func answer(_ output: JSONValue?) -> Answer {
    guard let output else { return Answer(status: route.status) }
    guard route.form == .textAnswer else {
      var answer = Answer.json(output.bytes, status: route.status)
      if let revision = output["revision"]?.integer { answer.headers.set("ETag", "\"\(revision)\"") }
      return answer
    }
    let text = Array((output["text"]?.string ?? "").utf8)
    var answer = Answer(status: route.status, Answer.Body(type: "application/yaml", bytes: text))
    answer.headers.set("ETag", "\"\(output["revision"]?.integer ?? 0)\"")
    return answer
  }
}
