import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Bodies, queries and path parameters as one object of input, by the one strict parser; and from there to a value.
enum Decoding {
  static func input(_ request: Request, _ route: Route, parameters: PathParameters) throws -> JSONObject {
    try merged(body: try body(request, route), query: try query(request, route), parameters) { _, text in
      .string(text)
    }
  }

  /// The one object of a request's parts. Refuses a name that is given twice, wherever it stands.
  /// - Parameter typed: a text of the query or the path as what the input holds under this name.
  static func merged(
    body: JSONObject, query: JSONObject, _ parameters: PathParameters,
    typed: (_ name: String, _ text: String) throws -> JSONValue
  ) throws -> JSONObject {
    var object = body
    func add(_ name: String, _ value: JSONValue, from place: String) throws {
      guard object[name] == nil else { throw Refusal.malformed("/" + name, "given twice, once in \(place)") }
      object[name] = value
    }
    for member in query.members {
      try add(member.key, try typed(member.key, member.value.string ?? ""), from: "the query")
    }
    for (name, value) in parameters.all { try add(name, try typed(name, value), from: "the path") }
    return object
  }

  /// A query as an object of texts.
  static func texts(of query: String?) throws -> JSONObject {
    guard let query, !query.isEmpty else { return JSONObject() }
    do {
      return try FormParser.parse(Array(query.utf8)).object ?? JSONObject()
    } catch {
      throw refusal([error])
    }
  }

  /// Refuses unknown names, missing ones and wrong types, with every pointer.
  static func value<Input: Decodable>(_ type: Input.Type, from object: JSONObject) throws -> Input {
    // A type without members asks for no names, so that the decoder could not find an unknown one.
    if type == Nothing.self, let stray = object.members.first {
      throw Refusal.malformed("/" + stray.key, "unknown; nothing is taken here")
    }
    do {
      return try StrictDecoder.decode(type, from: .object(object), spelling: .contract)
    } catch {
      throw refusal(error.problems)
    }
  }

  private static func body(_ request: Request, _ route: Route) throws -> JSONObject {
    guard !request.body.isEmpty else { return JSONObject() }
    guard !request.isEncoded else { throw Refusal(.unsupportedMediaType) }
    guard let type = request.headers.single("content-type")?.split(separator: ";").first.map(String.init) else {
      throw Refusal(.unsupportedMediaType)
    }
    let value: JSONValue
    do throws(JSONProblem) {
      switch type.lowercased().filter({ $0 != " " }) {
      case "application/json": value = try JSONParser.parse(request.body)
      case "application/x-www-form-urlencoded" where route.auth == .anonymous:
        value = try FormParser.parse(request.body, nesting: true)
      default: throw JSONProblem(pointer: unsupported, reason: "")
      }
    } catch {
      throw error.pointer == unsupported ? Refusal(.unsupportedMediaType) : refusal([error])
    }
    guard let object = value.object else { throw Refusal.malformed("", "must be a JSON object") }
    return object
  }

  private static let unsupported = "\u{0}"

  private static func query(_ request: Request, _ route: Route) throws -> JSONObject {
    guard let query = request.query, !query.isEmpty else { return JSONObject() }
    // Operations that change something take nothing from an address, which ends up in logs and histories.
    guard route.method == .get else { throw Refusal.malformed("", "no query is taken here") }
    return try texts(of: query)
  }

  static func refusal(_ problems: [JSONProblem]) -> Refusal {
    let lines = problems.prefix(20).map { $0.pointer.isEmpty ? $0.reason : "\($0.pointer): \($0.reason)" }
    return Refusal(.malformedRequest, detail: lines.joined(separator: "; "))
  }
}

extension Request {
  /// Whether the body has a content coding (RFC 9110 section 8.4). None is read: a few bytes of one can hold a
  /// gigabyte.
  var isEncoded: Bool { headers.values(of: "content-encoding").contains { $0.lowercased() != "identity" } }
}
