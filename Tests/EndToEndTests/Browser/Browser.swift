import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// A real browser (Chromium) as a person with a keyboard and a mouse uses it, with scripts of pages switched off.
struct Browser {
  enum Step {
    case open(String)
    /// Presses what the selector finds, and waits for the next page.
    case press(String)
    case type(String, into: String)
    /// `Tab`, or `Enter`, which leads to the next page.
    case key(String)
    case look
    /// A picture of the whole page, where the caller asked for pictures.
    case picture(String)
  }

  /// What a person gets to see, or to hear from a screen reader.
  struct View {
    let url: String
    let title: String
    let html: String
    /// Pixels that the content takes.
    let width: Int
    let nodes: [Node]

    func all(_ role: String) -> [Node] { nodes.filter { $0.role == role } }
    func has(_ role: String, _ name: String) -> Bool { all(role).contains { $0.name == name } }
    /// Everything that is written on it.
    var text: String { all("StaticText").map(\.name).joined(separator: " ") }
    var focused: Node? { nodes.last { $0.isFocused } }
  }

  /// One node of the accessibility tree.
  struct Node {
    let role: String
    let name: String
    let description: String
    let isFocused: Bool
    let isInvalid: Bool
    let isRequired: Bool
  }

  struct Request {
    let url: String
    let method: String
    let referer: String
  }

  struct Visit {
    let views: [View]
    let requests: [Request]
    /// Breaches of the content security policy, resources that did not load.
    let complaints: [String]
  }

  var width = 1280
  var height = 800
  var dark = false
  var language = "en"

  /// Makes a visit from an empty profile: no cookies, no history.
  func visit(_ steps: [Step]) throws -> Visit {
    let plan = JSONValue.object([
      "width": .integer(Int64(width)), "height": .integer(Int64(height)), "dark": .bool(dark),
      "language": .string(language), "steps": .array(steps.compactMap(Self.json)),
    ])
    let path = TestLists.root + "/Tests/EndToEndTests/Browser/browser.py"
    let script = try String(contentsOfFile: path, encoding: .utf8)
    let outcome = try Python.run(script, input: String(decoding: plan.bytes, as: UTF8.self))
    guard outcome.status == 0 else { throw Failed(why: outcome.errors) }
    let lines = try outcome.output.split(separator: "\n").map {
      try JSONParser.parse(Array($0.utf8), limits: JSONParser.Limits(size: 1 << 22))
    }
    guard let last = lines.last else { throw Failed(why: "no answer") }
    let requests = (last["requests"]?.array ?? []).map {
      Request(
        url: $0["url"]?.string ?? "", method: $0["method"]?.string ?? "", referer: $0["referer"]?.string ?? "")
    }
    return Visit(
      views: lines.dropLast().map(Self.view), requests: requests,
      complaints: (last["complaints"]?.array ?? []).compactMap(\.string))
  }

  struct Failed: Error { let why: String }

  private static func view(_ json: JSONValue) -> View {
    View(
      url: json["url"]?.string ?? "", title: json["title"]?.string ?? "", html: json["html"]?.string ?? "",
      width: Int(json["width"]?.integer ?? 0),
      nodes: (json["nodes"]?.array ?? []).map { node in
        Node(
          role: node["role"]?.string ?? "", name: node["name"]?.string ?? "",
          description: node["description"]?.string ?? "", isFocused: node["focused"]?.string == "true",
          isInvalid: node["invalid"]?.string == "true", isRequired: node["required"]?.string == "true")
      })
  }

  /// Pictures are for people: `GATEHOUSE_PICTURES` names the directory that they want them in.
  private static let pictures = ProcessInfo.processInfo.environment["GATEHOUSE_PICTURES"]

  private static func json(_ step: Step) -> JSONValue? {
    switch step {
    case .open(let url): .object(["open": .string(url)])
    case .press(let selector): .object(["press": .string(selector)])
    case .type(let text, let selector): .object(["type": .string(text), "into": .string(selector)])
    case .key(let name): .object(["key": .string(name)])
    case .look: .object(["look": .bool(true)])
    case .picture(let name): pictures.map { .object(["picture": .string("\($0)/\(name).png")]) }
    }
  }
}
