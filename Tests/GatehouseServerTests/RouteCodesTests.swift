import Foundation
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("The codes that each route declares")
struct RouteCodesTests {
  private let document = OpenAPI.document("https://auth.example.com")

  private func responses(_ route: Route) throws -> JSONObject {
    let item = document["paths"]?["/t/{tenant}" + route.path]?[route.method.rawValue.lowercased()]
    return try #require(item?["responses"]?.object)
  }

  @Test("a description lists exactly the declared codes, below their status, each with its meaning")
  func described() throws {
    for route in Routes.all {
      let responses = try responses(route)
      for (status, codes) in Dictionary(grouping: route.codes, by: \.status) {
        let response = try #require(responses[String(status)], "\(route.path) \(status)")
        let schema = response["content"]?["application/problem+json"]?["schema"]
        let listed = schema?["allOf"]?.array?.last?["properties"]?["code"]?["enum"]?.array?.compactMap(\.string)
        #expect(listed == codes.map(\.rawValue), "\(route.path)")
        let text = try #require(response["description"]?.string)
        for code in codes { #expect(text.contains("`\(code.rawValue)`: \(code.meaning)")) }
      }
      let refused = responses.members.map(\.key).compactMap { Int($0) }.filter { $0 >= 400 }
      #expect(Set(refused) == Set(route.codes.map(\.status)), "\(route.path)")
    }
  }

  @Test("the recorded refusals of each public route are among its codes")
  func recorded() throws {
    let file = TestLists.root + "/Tests/CommandTests/Answers/public.txt"
    let sections = ("\n" + (try String(contentsOfFile: file, encoding: .utf8))).components(separatedBy: "\n## ")
    var refusals = 0
    for section in sections.dropFirst() {
      let words = section.prefix { $0 != "\n" }.split(separator: " ")
      guard let code = section.firstMatch(of: /"code":"([a-z_]+)"/).map({ String($0.1) }) else { continue }
      let route = try #require(Routes.all.first { $0.method.rawValue == words[0] && $0.path == words[1] })
      // A method that the path does not have is refused before the route is known.
      if code == ErrorCode.methodNotAllowed.rawValue { continue }
      #expect(route.codes.contains { $0.rawValue == code }, "\(words[0]) \(words[1]): \(code)")
      refusals += 1
    }
    #expect(refusals >= Routes.all.count)
  }

  @Test("each member in the descriptions is found under its declared name by Foundation's coders")
  func names() {
    func members(_ value: JSONValue) -> [String] {
      let below = (value.object?.members.map(\.value) ?? []) + (value.array ?? [])
      return (value["properties"]?.object?.members.map(\.key) ?? []) + below.flatMap(members)
    }
    let names = Set(members(document) + members(AdminDescription.document))
    #expect(names.count > 200)
    for name in names { #expect(ContractJSON.spelled(ContractJSON.declared(name)) == name) }
  }

  @Test("a test server answers no refusal that its route does not declare")
  func undeclared() {
    let check = UndeclaredCodes()
    func answer(_ code: ErrorCode) -> Int {
      check.judge(
        RequestRecord(
          requestID: code.rawValue, method: "GET", route: "/v1/me", status: code.status, code: code, microseconds: 0))
      var response = Response(status: code.status)
      response.requestID = code.rawValue
      return check.judged(response).status
    }
    #expect(answer(.unauthenticated) == 401)
    #expect(answer(.cooldown) == 599)
  }

  /// The rows of the table in docs/apps.md: route, column of the token, marks, codes.
  private func table() throws -> [[String]] {
    let text = try String(contentsOfFile: TestLists.root + "/docs/apps.md", encoding: .utf8)
    let section = text.components(separatedBy: "<!-- codes -->")
    try #require(section.count == 3)
    return section[1].split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("docs/apps.md has a row for each route, in the order of the table")
  func rows() throws {
    #expect(try table().dropFirst().map { $0[0] } == Routes.all.map { "`\($0.method.rawValue) \($0.path)`" })
  }

  @Test(
    "a row of docs/apps.md says what the route takes, and lists each code of its own and none that it never answers")
  func documented() throws {
    for (row, route) in zip(try table().dropFirst(), Routes.all) {
      let token = route.auth == .anonymous ? "no" : route.auth == .user ? "yes" : "optional"
      let marks = (route.isIdempotent ? ["K"] : []) + (route.attests == nil ? [] : ["A"])
      #expect(row[1] == token && row[2] == marks.joined(separator: ", "), "\(row[0])")
      let named = Set(row[3].matches(of: /`([a-z_]+)`/).map { String($0.1) })
      let listed = named.intersection(ErrorCode.allCases.map(\.rawValue))
      let own = Set(route.refusals.map(\.rawValue))
      #expect(listed.isSuperset(of: own), "\(row[0]) lacks \(own.subtracting(listed))")
      let never = listed.subtracting(route.codes.map(\.rawValue))
      #expect(never == [], "\(row[0])")
    }
  }

  @Test("each code has a meaning of its own, in one sentence")
  func meanings() {
    for code in ErrorCode.allCases {
      #expect(code.meaning.hasSuffix(".") && !code.meaning.dropLast().contains(". "), "\(code.rawValue)")
    }
    #expect(Set(ErrorCode.allCases.map(\.meaning)).count == ErrorCode.allCases.count)
  }

  @Test("signed-in, idempotent and attested routes have the codes of their kind")
  func kinds() {
    for route in Routes.all where route.auth == .user {
      let kind: Set<ErrorCode> = [.unauthenticated, .tokenExpired, .sessionRevoked, .accountDisabled]
      #expect(Set(route.codes).isSuperset(of: kind), "\(route.path)")
    }
    for route in Routes.all where route.isIdempotent { #expect(route.codes.contains(.idempotencyConflict)) }
    for route in Routes.all where route.attests != nil { #expect(route.codes.contains(.attestRequired)) }
  }
}
