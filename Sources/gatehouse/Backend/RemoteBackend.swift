import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// A running server's admin API, as `gatehouse --server` asks it.
struct RemoteBackend {
  private let connection: AdminConnection
  /// For messages.
  private let server: String
  private let stated: StatedName?

  /// - Parameter stated: the name that is kept beside the token's.
  init(_ server: RemoteServer, stated: StatedName? = nil) {
    self.stated = stated
    connection = AdminConnection(base: server.url, token: server.token, caFile: server.caFile)
    self.server = server.url
  }

  func send<O: AdminOperation>(_ operation: O.Type, _ input: O.Input) throws -> O.Output {
    var request = AdminRequest(operation, try JSONEncoding.value(input, spelling: .contract).object ?? JSONObject())
    request.isIdempotent = AdminRoutes.all.contains { $0.is(operation) && $0.isIdempotent }
    if let stated { request.headers.append((StatedName.header, AdminRequest.encoded(stated.text))) }
    if request.isIdempotent { request.headers.append(("Idempotency-Key", UUID().text)) }
    let answer = try exchange(request)
    guard (200...299).contains(answer.status) else { throw Failure(refusal: answer, server: server) }
    if let nothing = Nothing() as? O.Output { return nothing }
    do {
      guard O.form == .textAnswer else {
        // A newer server may say more than this version knows.
        return try ContractJSON.decode(O.Output.self, from: Data(answer.body))
      }
      let tag = answer.headers["etag"]?.filter { $0 != "\"" } ?? ""
      let whole: JSONObject = [
        "text": .string(String(decoding: answer.body, as: UTF8.self)), "revision": .integer(Int64(tag) ?? 0),
      ]
      return try StrictDecoder.decode(O.Output.self, from: .object(whole), spelling: .contract)
    } catch {
      throw Failure(.unavailable, "\(server) does not answer as this version expects", hint: "gatehouse version")
    }
  }

  private func exchange(_ request: AdminRequest) throws(Failure) -> AdminAnswer {
    do {
      return try connection.exchange(
        request.method, request.target, headers: request.headers, body: request.body)
    } catch  where error.mayHaveHappened && request.isIdempotent {
      // It is done once, however often it is asked for under one key.
      var again = request
      again.isIdempotent = false
      return try exchange(again)
    } catch {
      let lost = error.mayHaveHappened && request.method != "GET"
      throw Failure(
        .unavailable,
        "\(server): \(Visible.line(error.description))" + (lost ? "; it may have happened all the same" : ""),
        hint: lost ? nil : "--server, or GATEHOUSE_SERVER, names where admin_listen is")
    }
  }
}

/// One operation as an HTTP request.
struct AdminRequest {
  let method: String
  let target: String
  var headers: [(name: String, value: String)] = []
  var body: [UInt8]?
  /// Whether the request may be sent again when its answer was lost.
  var isIdempotent = false

  init<O: AdminOperation>(_ operation: O.Type, _ input: JSONObject) {
    var rest = input.members
    method = O.method.rawValue
    let path = O.path.split(separator: "/").map { segment -> String in
      guard segment.hasPrefix("{") else { return String(segment) }
      let name = segment.dropFirst().dropLast()
      guard let place = rest.firstIndex(where: { $0.key == name }) else { return "" }
      return Self.encoded(Self.text(rest.remove(at: place).value))
    }
    if O.form == .textAndRevision {
      let place = rest.firstIndex { $0.key == "expecting" }
      let tag = place.map { "\"\(Self.text(rest.remove(at: $0).value))\"" } ?? "*"
      headers.append(("If-Match", tag))
    }
    var query: [JSONObject.Member] = []
    if O.form == .text || O.form == .textAndRevision {
      if let place = rest.firstIndex(where: { $0.key == "text" }) {
        body = Array(Self.text(rest.remove(at: place).value).utf8)
      }
      headers.append(("Content-Type", "application/yaml"))
      query = rest
    } else if O.form != .body, O.method == .get || O.method == .delete {
      query = rest
    } else {
      var object = JSONObject()
      for member in rest { object[member.key] = member.value }
      body = JSONValue.object(object).bytes
      headers.append(("Content-Type", "application/json"))
    }
    let pairs = query.map { "\(Self.encoded($0.key))=\(Self.encoded(Self.text($0.value)))" }
    target = "/admin/v1/" + path.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .array(let members): members.map(text).joined(separator: ",")
    default: ""
    }
  }

  /// Percent-encoded but for unreserved characters (RFC 3986 section 2.3); a dot too, as `..` would climb.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte -> String in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x7E: return String(decoding: [byte], as: UTF8.self)
      default: return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
