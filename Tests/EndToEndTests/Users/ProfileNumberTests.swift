import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Numbers in a profile that no field holds")
struct ProfileNumberTests {
  static let values = [
    "1.5", "1.0", "2e0", "1E400", "-0.1e-7", "9223372036854775808", "-9223372036854775809", "[1]", "{}",
    #"{"year":2}"#, "[]",
  ]

  private func refusal(_ answer: TestClient.Answer) -> String {
    let rules = answer.json["errors"]?.array?.compactMap { $0["rule"]?.string } ?? []
    return "\(answer.status) \(rules.joined(separator: " "))"
  }

  @Test("a sign-up and a change refuse them by the type of the field, and keep nothing", arguments: values)
  func refused(_ value: String) async throws {
    try await ThreeApps.share { apps in
      let email = "number\(Self.values.firstIndex(of: value) ?? 0)@ksu.edu"
      let profile = #"{"name":"Kay","phoneNumber":"785-555-0123","classYear":\#(value)}"#
      let body = #"{"email":"\#(email)","password":"Wildcat1","profile":\#(profile)}"#
      #expect(refusal(try await apps.ride.post("/v1/sign-up", body)) == "422 classYear.type")
      let token = try await apps.rider(email).accessToken
      let change = try await apps.ride.send("PATCH", "/v1/me", #"{"profile":{"classYear":\#(value)}}"#, token: token)
      #expect(refusal(change) == "422 classYear.type")
      #expect(try await apps.me(.ride, token).json["user"]?["profile"]?["name"] == .string("Willie W"))
    }
  }
}
