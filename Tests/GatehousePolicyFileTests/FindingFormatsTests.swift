import Foundation
import GatehousePolicyFile
import Testing

@Suite("Findings for other programs")
struct FindingFormatsTests {
  private let check = PolicyCheck.check(
    Array(
      """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      theme: {primary: "#FFE680"}
      password:
        rules:
          - {id: min8, min_length: 8}
          - {id: min6, min_length: 6}
      tests:
        - name: "100%: a, b"
          sign_up: {email: a@example.com, password: abc}
          expect: {ok: true}

      """.utf8), name: "policies/über 1.yaml", using: SmallLists(), now: date("2026-11-20"))

  @Test("SARIF names each finding's rule, level and place, and explains each rule once")
  func sarif() throws {
    let text = SARIF.log([check, check], version: "1.2.3")
    let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
    #expect(driver["semanticVersion"] as? String == "1.2.3")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(rules.compactMap { $0["id"] as? String } == ["P0310", "P0312", "P0401"])
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 2 * check.diagnostics.count && check.diagnostics.count == 3)
    for (result, finding) in zip(results, check.diagnostics) {
      #expect(result["ruleId"] as? String == finding.code.rawValue)
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == finding.code.rawValue)
      #expect(result["level"] as? String == finding.severity.rawValue)
      let location = try #require((result["locations"] as? [[String: [String: Any]]])?.first?["physicalLocation"])
      #expect((location["artifactLocation"] as? [String: String])?["uri"] == "policies/%C3%BCber%201.yaml")
      let region = try #require(location["region"] as? [String: Int])
      #expect(region["startLine"] == finding.range.start.line && region["startColumn"] == finding.range.start.column)
      #expect(region["endLine"] == finding.range.end.line && region["endColumn"] == finding.range.end.column)
    }
    #expect(SARIF.log([], version: "1").contains("\"results\": []"))
  }

  @Test("a GitHub annotation is one line, with what would end it escaped")
  func annotations() {
    let lines = Annotations.text([check]).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("::warning file=policies/über 1.yaml,line=4,endLine=4,col=18,endColumn=27,title=P0310 "))
    let failed = lines.first { $0.hasPrefix("::error ") } ?? ""
    #expect(failed.contains("::test \"100%25: a, b\" failed%0Aok expected: true%0Aok got:      false"))
    #expect(!lines.contains { $0.contains("\r") })
    #expect(Annotations.text([]).isEmpty)
  }
}
