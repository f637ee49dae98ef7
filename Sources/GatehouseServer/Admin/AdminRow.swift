import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// One row of the operators' table as HTTP sees it: its path, and where its input and output travel.
struct AdminRow: Sendable {
  /// Two policy files of the largest size, as JSON.
  static let mostBody = 1_048_576

  let route: AdminRoute
  /// Nil stands for a parameter.
  private let segments: [[UInt8]?]
  private let parameters: [String]
  /// What each name of the input holds, so that a query's text becomes a number or a truth value.
  private let kinds: [String: String]

  init(_ route: AdminRoute) {
    self.route = route
    let parts = route.path.split(separator: "/")
    segments = parts.map { $0.hasPrefix("{") ? nil : Array($0.utf8) }
    parameters = parts.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    let properties = Schema.of(route.input)["properties"]?.object?.members ?? []
    kinds = Dictionary(properties.map { ($0.key, $0.value["type"]?.string ?? "") }) { first, _ in first }
  }

  /// The values of the parameters when this path is the row's; nil when it is another.
  func match(_ path: [ArraySlice<UInt8>]) -> [(String, String)]? {
    guard path.count == segments.count else { return nil }
    var values: [String] = []
    for (segment, part) in zip(segments, path) {
      if let segment {
        guard part.elementsEqual(segment) else { return nil }
      } else {
        guard let value = Self.decoded(part) else { return nil }
        values.append(value)
      }
    }
    return Array(zip(parameters, values))
  }

  /// A segment's text, its percent signs read once. Nil for what is no text of one line.
  private static func decoded(_ part: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return text
  }

  /// Path, query, header and body as one object. A name that is given twice is refused.
  func input(_ request: Request, parameters: [(String, String)]) throws -> JSONObject {
    var object = JSONObject()
    for (name, value) in parameters { object[name] = try typed(name, value) }
    let takesText = route.form == .text || route.form == .textAndRevision
    let type = request.headers.single("content-type")?.split(separator: ";").first.map {
      $0.lowercased().filter { $0 != " " }
    }
    let isText = takesText && type.map { ["application/yaml", "text/yaml", "text/plain"].contains($0) } ?? false
    for member in try query(request, isTaken: isText || (request.body.isEmpty && route.form != .body)).members {
      try add(member.key, try typed(member.key, member.value.string ?? ""), to: &object)
    }
    if isText {
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Refusal.malformed("/text", "must be UTF-8")
      }
      try add("text", .string(text), to: &object)
    } else if !request.body.isEmpty {
      guard type == "application/json" else { throw Refusal(.unsupportedMediaType) }
      for member in try body(request).members { try add(member.key, member.value, to: &object) }
    }
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

  private func body(_ request: Request) throws -> JSONObject {
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONParser.parse(request.body, limits: JSONParser.Limits(size: Self.mostBody))
    } catch {
      throw Refusal(
        .malformedRequest, detail: error.pointer.isEmpty ? error.reason : "\(error.pointer): \(error.reason)")
    }
    guard let object = value.object else { throw Refusal.malformed("", "must be a JSON object") }
    return object
  }

  private func query(_ request: Request, isTaken: Bool) throws -> JSONObject {
    guard let query = request.query, !query.isEmpty else { return JSONObject() }
    guard isTaken else {
      throw Refusal.malformed(
        "", route.form == .body ? "the body holds it, no query does" : "no query is taken beside a JSON body")
    }
    do throws(JSONProblem) {
      return try FormParser.parse(Array(query.utf8)).object ?? JSONObject()
    } catch {
      throw Refusal(.malformedRequest, detail: "\(error.pointer): \(error.reason)")
    }
  }

  private func add(_ name: String, _ value: JSONValue, to object: inout JSONObject) throws {
    guard object[name] == nil else { throw Refusal.malformed("/" + name, "given twice") }
    object[name] = value
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
    default: return .string(text)
    }
  }

  /// What the verb answered, as the route's form says.
  func response(_ output: JSONValue?) throws -> Response {
    guard let output else { return Response(status: route.status) }
    guard route.form == .textAnswer else {
      var response = Response.json(output.bytes, status: route.status)
      if let revision = output["revision"]?.integer { response.headers.set("ETag", "\"\(revision)\"") }
      return response
    }
    var response = Response(
      status: route.status, contentType: "application/yaml", body: Array((output["text"]?.string ?? "").utf8))
    response.headers.set("ETag", "\"\(output["revision"]?.integer ?? 0)\"")
    return response
  }
}
