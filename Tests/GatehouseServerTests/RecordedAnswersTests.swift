import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// An answer that the built server once gave, as the tests of its routes keep it.
private struct RecordedAnswer {
  let title: String
  let operation: JSONValue
  let status: String
  let body: JSONValue

  /// The answers in a file of `Answers/` that are JSON, to operations of the description. A title without further words
  /// is a request that the operation takes.
  static func all(in file: String, of document: JSONValue, below prefix: String) throws -> [Self] {
    let path = TestLists.root + "/Tests/CommandTests/Answers/\(file).txt"
    let sections = ("\n" + (try String(contentsOfFile: path, encoding: .utf8))).components(separatedBy: "\n## ")
    return sections.dropFirst().compactMap { section in
      let parts = section.components(separatedBy: "\n\n")
      let lines = parts[0].split(separator: "\n").map(String.init)
      let words = lines[0].split(separator: " ").map(String.init)
      guard words.count >= 2, parts.count > 1, !lines[0].contains(" by "),
        let body = try? JSONParser.parse(Array(parts[1].utf8)),
        let operation = document["paths"]?[prefix + words[1]]?[words[0].lowercased()]
      else { return nil }
      return Self(title: lines[0], operation: operation, status: lines[1], body: body)
    }
  }

  /// The schema of the body. Nil where the status is not described: each success by its number, refusals also as a
  /// whole.
  var schema: JSONValue? {
    let responses = operation["responses"]
    guard let response = responses?[status] ?? (status < "400" ? nil : responses?["default"]) else { return nil }
    return response["content"]?.object?.members.first?.value["schema"]
  }
}

@Suite("Recorded answers and the description of the API")
struct RecordedAnswersTests {
  /// Every object takes the members that are described, and no other: the server of this version adds none.
  private func closed(_ schema: JSONValue) -> JSONValue {
    if let list = schema.array { return .array(list.map(closed)) }
    guard let object = schema.object else { return schema }
    var kept = JSONObject()
    for member in object.members { kept[member.key] = closed(member.value) }
    if object["type"] == .string("object"), object["properties"] != nil, object["additionalProperties"] == nil {
      kept["additionalProperties"] = .bool(false)
    }
    return .object(kept)
  }

  private func problems(_ answers: [RecordedAnswer], in document: JSONValue) throws -> [String] {
    let pairs = try answers.map { answer in
      (schema: closed(try #require(answer.schema, "\(answer.title): \(answer.status)")), body: answer.body)
    }
    return try DescriptionCheck.problems(pairs, in: document).map { problem in
      let number = Int(problem.prefix { $0 != " " }) ?? 0
      return "\(answers[number].title): \(problem)"
    }
  }

  @Test("an app's answers are described under their status, with all of their members")
  func apps() throws {
    let document = OpenAPI.document("https://auth.example.com")
    let answers = try RecordedAnswer.all(in: "public", of: document, below: "/t/{tenant}")
    #expect(answers.count > 80)
    let found = try problems(answers, in: document)
    #expect(found == [])
  }

  @Test("an operator's answers are described, with all of their members")
  func operators() throws {
    let document = AdminDescription.document
    let answers = try RecordedAnswer.all(in: "admin", of: document, below: "/admin/v1")
    #expect(answers.count > 80)
    let found = try problems(answers, in: document)
    #expect(found == [])
  }

  @Test("a member that is not described, and a status that is not, are seen")
  func seen() throws {
    let document = OpenAPI.document("https://auth.example.com")
    let answers = try RecordedAnswer.all(in: "public", of: document, below: "/t/{tenant}")
    let answer = try #require(answers.first { $0.status == "200" && $0.body.object != nil })
    var body = try #require(answer.body.object)
    body["undescribed"] = .bool(true)
    let more = RecordedAnswer(
      title: answer.title, operation: answer.operation, status: answer.status, body: .object(body))
    #expect(try problems([more], in: document).count == 1)
    #expect(
      RecordedAnswer(title: "", operation: answer.operation, status: "299", body: answer.body).schema == nil)
  }
}
