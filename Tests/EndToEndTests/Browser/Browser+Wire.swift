import Foundation
import GatehousePrimitives
import GatehouseTesting

/// How `browser.py` is told what to do, and what it answers.
extension Browser {
  /// `GATEHOUSE_PICTURES` names another directory for pictures.
  static let pictures =
    ProcessInfo.processInfo.environment["GATEHOUSE_PICTURES"] ?? TestLists.root + "/.build/pictures"
  /// axe-core, as `script/bootstrap --tests` installs it.
  static let axe = TestLists.root + "/.build/python/axe_playwright_python/axe.min.js"

  func plan(_ steps: [Step]) -> JSONValue {
    .object([
      "width": .integer(Int64(width)), "height": .integer(Int64(height)), "dark": .bool(dark),
      "language": .string(language), "scripts": .bool(scripts), "zoom": .integer(Int64(zoom)),
      "text": .integer(Int64(text)), "cookies": .bool(cookies), "trusting": .bool(isTrusting),
      "front": front.map {
        .object(["hosts": .array($0.hosts.map(JSONValue.string)), "port": .integer(Int64($0.port))])
      } ?? .null,
      "axe": .string(Self.axe), "steps": .array(steps.map(Self.json)),
    ])
  }

  /// As the debugging protocol describes a passkey.
  private static func credential(_ passkey: TestPasskey) -> JSONValue {
    func text(_ bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }
    return .object([
      "credentialId": text(passkey.id), "isResidentCredential": .bool(true), "rpId": .string(passkey.rpID),
      "privateKey": text((try? passkey.pair.pkcs8()) ?? []), "userHandle": text(passkey.userHandle),
      "signCount": .integer(1),
    ])
  }

  private static func json(_ step: Step) -> JSONValue {
    switch step {
    case .open(let url): .object(["open": .string(url)])
    case .reload: .object(["reload": .bool(true)])
    case .back: .object(["back": .bool(true)])
    case .press(let selector): .object(["press": .string(selector)])
    case .pressOften(let selector, let times):
      .object(["press": .string(selector), "times": .integer(Int64(times))])
    case .leave(let selector): .object(["leave": .string(selector)])
    case .touch(let selector): .object(["touch": .string(selector)])
    case .type(let text, let selector): .object(["type": .string(text), "into": .string(selector)])
    case .complete(let text, let selector):
      .object(["type": .string(text), "into": .string(selector), "loads": .bool(true)])
    case .write(let text): .object(["type": .string(text)])
    case .key(let name): .object(["key": .string(name), "loads": .bool(name == "Enter")])
    case .activate(let name): .object(["key": .string(name), "loads": .bool(true)])
    case .tabTo(let selector): .object(["tabTo": .string(selector)])
    case .tab(let number): .object(["tab": .integer(Int64(number))])
    case .tabLeadingOn(let number): .object(["tab": .integer(Int64(number)), "loads": .bool(true)])
    case .scripts(let are): .object(["scripts": .bool(are)])
    case .dark(let dark): .object(["dark": .bool(dark)])
    case .forcedColours(let forced): .object(["forced": .bool(forced)])
    case .size(let width, let height):
      .object(["size": .array([.integer(Int64(width)), .integer(Int64(height))])])
    case .block(let patterns): .object(["block": .array(patterns.map { .string($0) })])
    case .offline(let isGone): .object(["offline": .bool(isGone)])
    case .capsLock(let selector): .object(["capsLock": .string(selector)])
    case .authenticator(let verifies): .object(["authenticator": .bool(verifies)])
    case .present(let isThere): .object(["present": .bool(isThere)])
    case .credential(let passkey): .object(["credential": credential(passkey)])
    case .passkeys: .object(["passkeys": .bool(true)])
    case .holds(let names): .object(["holds": .array(names.map { .string($0) })])
    case .inject(let script): .object(["inject": .string(script)])
    case .ask(let expression): .object(["ask": .string(expression)])
    case .await(let selector): .object(["await": .string(selector)])
    case .forget: .object(["forget": .bool(true)])
    case .hold(let cookies, let url):
      .object(["hold": .object(Self.members(cookies)), "at": .string(url)])
    case .look: .object(["look": .bool(true)])
    case .axe: .object(["axe": .bool(true)])
    case .overflow: .object(["overflow": .bool(true)])
    case .focus: .object(["focus": .bool(true)])
    case .picture(let name): .object(["picture": .string("\(pictures)/\(name).png")])
    }
  }
}

extension Browser {
  private static func members(_ texts: [String: String]) -> JSONObject {
    texts.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) }
  }
}

extension Browser.Visit {
  /// Each line says by a member of its own what it is about.
  init(_ lines: some Collection<JSONValue>, _ last: JSONValue) {
    views = lines.filter { $0["nodes"] != nil }.map(Browser.View.init)
    audits = lines.filter { $0["violations"] != nil }.map(Browser.Audit.init)
    fits = lines.filter { $0["found"] != nil }.map(Browser.Fit.init)
    focuses = lines.filter { $0["isRinged"] != nil }.map(Browser.Focus.init)
    walks = lines.filter { $0["faults"] != nil }.map(Browser.Walk.init)
    passkeys = lines.filter { $0["passkeys"] != nil }.map { $0.texts("passkeys") }
    answers = lines.filter { $0["answer"] != nil }.map { $0.text("answer") }
    requests = (last["requests"]?.array ?? []).map(Browser.Request.init)
    locations = last.texts("locations")
    complaints = last.texts("complaints")
  }
}

extension Browser.View {
  init(_ json: JSONValue) {
    url = json.text("url")
    title = json.text("title")
    html = json.text("html")
    width = Int(json["width"]?.integer ?? 0)
    nodes = (json["nodes"]?.array ?? []).map(Browser.Node.init)
  }
}

extension Browser.Node {
  init(_ json: JSONValue) {
    role = json.text("role")
    name = json.text("name")
    description = json.text("description")
    value = json.text("value")
    isFocused = json.text("focused") == "true"
    isInvalid = json.text("invalid") == "true"
    isRequired = json.text("required") == "true"
  }
}

extension Browser.Audit {
  init(_ json: JSONValue) {
    let broken = json["violations"]?.array ?? []
    passes = Int(json["passes"]?.integer ?? 0)
    rules = broken.map { $0.text("id") }
    violations = broken.map { one in
      "\(one.text("id")) (\(one.text("help"))): \(one.texts("nodes").joined(separator: "; "))"
    }
  }
}

extension Browser.Fit {
  init(_ json: JSONValue) {
    found = json.texts("found")
    text =
      switch json["text"] {
      case .integer(let number): Double(number)
      case .number(let number): Double(number) ?? 0
      default: 0
      }
  }
}

extension Browser.Focus {
  init(_ json: JSONValue) {
    tag = json.text("tag")
    name = json.text("name")
    id = json.text("id")
    text = json.text("text")
    box = (json["box"]?.array ?? []).compactMap { $0.integer.map { Int($0) } }
    isVisible = json["isVisible"]?.bool == true
    isRinged = json["isRinged"]?.bool == true
    isCovered = json["isCovered"]?.bool == true
  }
}

extension Browser.Walk {
  init(_ json: JSONValue) {
    tabs = Int(json["tabs"]?.integer ?? 0)
    faults = json.texts("faults")
  }
}

extension Browser.Request {
  init(_ json: JSONValue) {
    url = json.text("url")
    method = json.text("method")
    type = json.text("type")
    referer = json.text("referer")
  }
}

extension JSONValue {
  fileprivate func text(_ name: String) -> String { self[name]?.string ?? "" }
  fileprivate func texts(_ name: String) -> [String] { (self[name]?.array ?? []).compactMap(\.string) }
}
