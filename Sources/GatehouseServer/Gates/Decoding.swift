import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Bodies, queries and path parameters as one object of input, by the one strict parser; and from there to a value.
enum Decoding {
  /// Refuses a name that is given twice, wherever it stands.
  static func input(_ request: Request, _ route: Route, parameters: PathParameters) throws -> JSONObject {
    var object = try body(request, route)
    try add(try query(request, route), to: &object, "the query")
    var path = JSONObject()
    for (name, value) in parameters.all { path[name] = .string(value) }
    try add(path, to: &object, "the path")
    return object
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
    do {
      return try FormParser.parse(Array(query.utf8)).object ?? JSONObject()
    } catch {
      throw refusal([error])
    }
  }

  private static func add(_ more: JSONObject, to object: inout JSONObject, _ place: String) throws {
    for member in more.members {
      guard object[member.key] == nil else {
        throw Refusal.malformed("/" + member.key, "given twice, once in \(place)")
      }
      object[member.key] = member.value
    }
  }

  private static func refusal(_ problems: [JSONProblem]) -> Refusal {
    let lines = problems.prefix(20).map { $0.pointer.isEmpty ? $0.reason : "\($0.pointer): \($0.reason)" }
    return Refusal(.malformedRequest, detail: lines.joined(separator: "; "))
  }
}
