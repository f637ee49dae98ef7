import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// A real browser (Chromium) as a person with a keyboard and a mouse uses it. Scripts of pages are off unless they are
/// asked for.
struct Browser {
  enum Step {
    case open(String)
    case reload
    /// The way back, as the browser's own button goes.
    case back
    /// Presses what the selector finds, and waits for the next page.
    case press(String)
    /// Presses it so many times before the next page comes.
    case pressOften(String, Int)
    /// Presses what leads to another place than this server, and waits until the browser is told where, or refuses.
    case leave(String)
    /// Presses what leads to no other page.
    case touch(String)
    case type(String, into: String)
    /// Types a text after which the page leads to another one by itself.
    case complete(String, into: String)
    /// Types to where the focus is.
    case write(String)
    /// `Tab`, `Shift+Tab`, `ArrowDown`, `Space`, or `Enter`, which leads to the next page.
    case key(String)
    /// A key that leads to the next page.
    case activate(String)
    /// Tab until what the selector finds has the focus; the way is among `Visit.walks`.
    case tabTo(String)
    /// Another tab of the same browser. The first one is 0.
    case tab(Int)
    /// The same for a tab that leads on by itself once it is in front.
    case tabLeadingOn(Int)
    case scripts(Bool)
    case dark(Bool)
    /// Whether the device forces its own few colours.
    case forcedColours(Bool)
    case size(Int, Int)
    /// Addresses, with `*`, that are not fetched from now on.
    case block([String])
    /// Whether the network is gone from now on.
    case offline(Bool)
    /// A key in what the selector finds, while Caps Lock is on.
    case capsLock(String)
    /// The device has an authenticator for passkeys from now on, which verifies its user or has no way to.
    case authenticator(verifies: Bool)
    /// Whether a person is at the authenticator and answers it. A request that begins meanwhile waits for ever.
    case present(Bool)
    /// It holds this passkey from now on.
    case credential(TestPasskey)
    /// Looks at what it holds: the name of each passkey's owner.
    case passkeys
    /// Waits until it holds the passkeys of owners of these names.
    case holds([String])
    /// Waits until what the selector finds is there.
    case await(String)
    /// A script that runs in every page from now on, before the page's own ones.
    case inject(String)
    /// The value of an expression in the page's own world, as text.
    case ask(String)
    /// The browser has lost its cookies.
    case forget
    /// Cookies, as if the server at this address had set them.
    case hold([String: String], at: String)
    case look
    /// What axe-core finds, with scripts switched on for it alone.
    case axe
    /// What is wider than the window, and text that is cut off.
    case overflow
    case focus
    /// A picture of the whole page, below `.build/pictures`.
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
    /// The page's path below `/ui/`, without its query.
    var page: String {
      guard let start = url.range(of: "/ui/")?.upperBound else { return url }
      return String(url[start...].prefix { $0 != "?" && $0 != "#" })
    }
  }

  /// One node of the accessibility tree.
  struct Node {
    let role: String
    let name: String
    let description: String
    let value: String
    let isFocused: Bool
    let isInvalid: Bool
    let isRequired: Bool
  }

  /// What axe-core says of a page.
  struct Audit {
    /// Rules that the page keeps. None means that axe has not run.
    let passes: Int
    /// One line for each rule that it breaks, with the elements that do.
    let violations: [String]
    let rules: [String]
  }

  /// Whether a page fits into its window.
  struct Fit {
    let found: [String]
    /// The size of the body's text in pixels.
    let text: Double
  }

  /// What has the focus.
  struct Focus {
    let tag: String
    let name: String
    let id: String
    let text: String
    /// Left, top, width and height.
    let box: [Int]
    let isVisible: Bool
    /// Whether a person sees that it has it.
    let isRinged: Bool
    let isCovered: Bool
  }

  /// The way to an element with the Tab key.
  struct Walk {
    let tabs: Int
    let faults: [String]
  }

  struct Request {
    let url: String
    let method: String
    /// What it is for: `Document`, `Script`, `Image`, …
    let type: String
    let referer: String
  }

  struct Visit {
    let views: [View]
    let audits: [Audit]
    let fits: [Fit]
    let focuses: [Focus]
    let walks: [Walk]
    /// The names of the owners of the passkeys that the authenticator held.
    let passkeys: [[String]]
    let answers: [String]
    let requests: [Request]
    /// Where answers led to.
    let locations: [String]
    /// Breaches of the content security policy, resources that did not load, words on the console.
    let complaints: [String]

    /// Chromium notes every answer of 400 and above as a resource that failed; our refusals have such answers.
    var faults: [String] {
      complaints.filter { !$0.hasPrefix("Failed to load resource: the server responded with") }
    }
  }

  var width = 1280
  var height = 800
  var dark = false
  var language = "en"
  var scripts = false
  /// The browser's zoom: 2 is 200 %.
  var zoom = 1
  /// The size of text in the browser's settings: 2 is 200 %.
  var text = 1
  var cookies = true
  /// Whether it takes every certificate: providers of tests sign their own.
  var isTrusting = false
  /// Hosts that lead to the server at a port of this machine, by TLS, as behind a reverse proxy.
  var front: (hosts: [String], port: Int)?

  struct Failed: Error { let why: String }

  /// Makes a visit of these steps from an empty profile: no cookies, no history.
  func visit(_ steps: [Step]...) throws -> Visit {
    let path = TestLists.root + "/Tests/EndToEndTests/Browser/browser.py"
    let script = try String(contentsOfFile: path, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: Self.pictures, withIntermediateDirectories: true)
    let outcome = try Python.run(script, input: String(decoding: plan(Array(steps.joined())).bytes, as: UTF8.self))
    guard outcome.status == 0 else { throw Failed(why: outcome.errors) }
    let lines = try outcome.output.split(separator: "\n").map {
      try JSONParser.parse(Array($0.utf8), limits: JSONParser.Limits(size: 1 << 22))
    }
    guard let last = lines.last else { throw Failed(why: "no answer") }
    return Visit(lines.dropLast(), last)
  }
}
