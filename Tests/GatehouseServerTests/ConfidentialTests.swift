import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServer
import GatehouseWire
import Testing

@Suite("What is secret is not printed by accident")
struct ConfidentialTests {
  private static let secret: Set<String> = [
    "password", "current_password", "token", "code", "refresh_token", "id_token", "push_token", "nonce", "callback_url",
    "access_token",
  ]

  /// Everything that Swift would show of a value.
  private static func shown(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), "\(value)", dumped].joined(separator: "\n")
  }

  private static func decode<Input: Decodable>(_ type: Input.Type, _ bytes: [UInt8]) throws -> Any {
    try StrictDecoder.decode(type, from: bytes, spelling: .contract)
  }

  @Test("T120 no input with a password, token or code shows it in a description, a reflection or a dump")
  func inputs() throws {
    let document = OpenAPI.document("https://auth.example.com")
    var seen: Set<String> = []
    for route in Routes.all where route.method != .get {
      let operation = document["paths"]?["/t/{tenant}" + route.path]?[route.method.rawValue.lowercased()]
      let schema = operation?["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]
      var body = JSONObject()
      for part in route.path.split(separator: "/") where part.hasPrefix("{") {
        body[String(part.dropFirst().dropLast())] = .string("x")
      }
      for member in schema?.object?.members ?? [] where member.value["type"]?.string == "string" {
        body[member.key] = .string("canary-\(member.key)")
      }
      let names = body.members.map(\.key).filter(Self.secret.contains)
      guard !names.isEmpty else { continue }
      seen.formUnion(names)
      let text = Self.shown(try Self.decode(route.input, JSONValue.object(body).bytes))
      for name in names { #expect(!text.contains("canary-\(name)"), "\(route.path): \(name)") }
    }
    let secrets: Set = ["password", "current_password", "token", "code", "refresh_token", "push_token"]
    #expect(seen.isSuperset(of: secrets), "\(seen)")
    #expect(!Self.shown(Facts(email: "canary@example.com", password: "canary-password")).contains("canary"))
  }

  @Test("the look finds what an ordinary value shows")
  func control() {
    struct Ordinary { let password = "canary-password" }
    #expect(Self.shown(Ordinary()).contains("canary-password"))
    #expect(!Self.shown(Secret("canary-password")).contains("canary"))
  }
}
