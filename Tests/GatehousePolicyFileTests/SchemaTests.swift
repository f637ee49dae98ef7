import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

/// Python's `jsonschema` and `yaml` packages: a validator and a reader that share nothing with ours.
private enum Validator {
  /// YAML 1.2's core schema, as editors read: no dates, no `yes`, no octal numbers.
  private static let script = """
    import base64, json, re, sys
    import jsonschema, yaml
    class Loader(yaml.SafeLoader):
        pass
    Loader.yaml_implicit_resolvers = {}
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
    Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^(null|~|)$"), ["n", "~", ""])
    Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile("^[-+]?[0-9]+$"), list("-+0123456789"))
    Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+\\.[0-9]*$"), list("-+0123456789"))
    schema = json.loads(base64.b64decode(sys.stdin.readline()))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for line in sys.stdin:
        document = yaml.load(base64.b64decode(line).decode(), Loader)
        error = jsonschema.exceptions.best_match(validator.iter_errors(document))
        print(json.dumps("" if error is None else error.message[:300] or "?"))
    """

  /// What the schema says against each text; empty where it takes it.
  static func complaints(_ texts: [String]) throws -> [String] {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let lines = ([PolicyFile.schema()] + texts.map { Array($0.utf8) }).map { Data($0).base64EncodedString() + "\n" }
    Thread.detachNewThread {
      try? input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8))
      try? input.fileHandleForWriting.close()
    }
    let answers = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "are python3-jsonschema and python3-yaml installed?")
    return try answers.split(separator: 0x0A).map {
      try JSONDecoder().decode(String.self, from: Data($0))
    }
  }
}

@Suite("The JSON Schema of policy files")
struct SchemaTests {
  @Test("an independent validator takes the schema, the files of this repository and every right example")
  func valid() throws {
    var texts = try PoliciesTests.paths.map { String(decoding: try Repository.bytes($0), as: UTF8.self) }
    texts.append(PolicyFile.initial(tenant: "acme", name: "Acme"))
    texts.append("schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\n" + MutationTests.sections)
    texts += CodeExample.all.map { String(decoding: $0.rightFile, as: UTF8.self) }
    let complaints = try Validator.complaints(texts)
    try #require(complaints.count == texts.count)
    for (text, complaint) in zip(texts, complaints) { #expect(complaint.isEmpty, "\(complaint)\n\(text)") }
  }

  /// What a schema can say at all: shapes, words, bounds of numbers and lengths. What keys mean together it can not.
  static let sayable: Set<DiagnosticCode> = [
    .unknownKey, .missingKey, .wrongKind, .notTrueOrFalse, .notANumber, .outOfRange, .notADuration, .notALimit,
    .notAChoice, .badText, .badCount, .repeated, .badName, .badRuleID, .ruleWithoutKind, .ruleWithTwoKinds,
    .notAvailable,
    .secretInFile, .dateWithoutWarn, .unknownRequirement, .badColour, .empty,
  ]

  @Test("it refuses every wrong example of a kind that a schema can tell")
  func invalid() throws {
    let examples = CodeExample.all.filter { Self.sayable.contains($0.code) }
    #expect(examples.count == Self.sayable.count)
    let complaints = try Validator.complaints(examples.map { String(decoding: $0.wrongFile, as: UTF8.self) })
    try #require(complaints.count == examples.count)
    for (example, complaint) in zip(examples, complaints) {
      #expect(!complaint.isEmpty, "\(example.code) \(example.wrongText)")
    }
  }

  @Test(
    "each of these slips is refused by the reader and by the schema alike",
    arguments: [
      ("min8, min_length: 8", "min8, min_lenght: 8"), ("min8, min_length: 8", "min8, min_length: eight"),
      ("min8, min_length: 8", "min8, min_length: 0"), ("min8, min_length: 8", "min8, min_length: 8, require: digit"),
      ("min8, min_length: 8", "min8"), ("min8, min_length: 8", "min8, min_length: 8, enforce: maybe"),
      ("min8, min_length: 8", "min8, min_length: 8, enforce_from: 2027-03-01"),
      ("min8, min_length: 8", "min8, min_length: 8, enforce: warn, enforce_from: March"),
      ("min8, min_length: 8", "min8, min_length: 8, doors: [front]"),
      ("min8, min_length: 8", "min8, min_length: 8, doors: []"),
      ("min8, min_length: 8", "MIN8, min_length: 8"), ("min8, min_length: 8", "min8, not_last: 25"),
      ("tenant: acme", "tenant: Acme"), ("tenant: acme\n", ""), ("policy.v1", "policy.v2"),
      ("app: {name: Acme}", "app: {name: Acme, locales: [english]}"), ("app: {name: Acme}", "app: Acme"),
      ("app: {name: Acme}", "app: {name: Acme, bundle_ids: [a, a]}"),
      ("app: {name: Acme}", "app: {name: Acme}\nsessions: {access_token_ttl: 900}"),
      ("app: {name: Acme}", "app: {name: Acme}\nlimits: {sign_in_per_ip: lots}"),
      ("app: {name: Acme}", "app: {name: Acme}\nprofile: {fields: {1st: {type: string}}}"),
      ("app: {name: Acme}", "app: {name: Acme}\nprofile: {fields: {a: {type: text}}}"),
      ("app: {name: Acme}", "app: {name: Acme}\nprofile: {fields: {a: {type: string, required: yes}}}"),
      ("app: {name: Acme}", "app: {name: Acme}\ntests: [{name: a, sign_up: {emial: b}, expect: {ok: true}}]"),
      ("app: {name: Acme}", "app: {name: Acme}\ntests: [{name: a, sign_up: {email: b}, expect: {okay: true}}]"),
      ("app: {name: Acme}", "app: {name: Acme}\ntests: [{name: a, sign_up: {email: b}}]"),
      ("app: {name: Acme}", "app: {name: Acme}\nmfa: {policy: required}"),
      ("app: {name: Acme}", "app: {name: Acme}\npasskeys: {use: [login]}"),
      ("app: {name: Acme}", "app: {name: Acme}\npasskeys: {use: [sign_in], rp_id: localhost}"),
      ("app: {name: Acme}", "app: {name: Acme}\npasskeys: {use: [sign_in], origins: [\"https://acme.example/\"]}"),
      ("app: {name: Acme}", "app: {name: Acme}\npasskeys: {use: [sign_in], upgrade: {when: {role: admin}}}"),
      ("app: {name: Acme}", "app: {name: Acme}\npasskeys: {use: [sign_in], rp_id_from: {id: acme.test}}"),
      ("app: {name: Acme}", "app: {name: Acme}\nusers: {admin: {email: a@example.com}}"),
      ("app: {name: Acme}", "app: {name: Acme}\nusers: {al: {emial: a@example.com}}"),
      ("app: {name: Acme}", "app: {name: Acme}\ntests_at: March"),
      (
        "app: {name: Acme}",
        "app: {name: Acme}\ntests: [{name: a, sign_up: {email: b}, expect: {violations: {include: [a.b]}}}]"
      ),
    ])
  func slips(line: String, slip: String) throws {
    let text = ReadingTests.base.replacing(line, with: slip, maxReplacements: 1)
    #expect(text != ReadingTests.base)
    #expect(!findings(text).isEmpty)
    let complaints = try Validator.complaints([ReadingTests.base, text])
    #expect(complaints.map(\.isEmpty) == [true, false], "\(slip)")
  }
}
