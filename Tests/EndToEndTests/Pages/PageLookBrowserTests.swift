import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("How the hosted pages look, in a real browser")
struct PageLookBrowserTests {
  @Test("H01 every row of the table has a scene")
  func everyRow() {
    let rows = Set(PageTable.all.map { $0.path })
    #expect(rows.subtracting((PageScene.all + PageScene.stale).map(\.row)) == PageScene.ofPasskeys)
  }

  @Test("H01 H15 axe finds nothing on any screen, narrow or wide, light or dark, and the browser has nothing to say")
  func axe() async throws {
    try await PageStage.run { stage in
      var steps: [Browser.Step] = []
      var names: [String] = []
      for place in stage.places {
        for scripts in [false, true] {
          steps.append(.scripts(scripts))
          steps += PageStage.enter(place)
          for (width, dark) in [(1280, false), (1280, true), (360, true), (360, false)] {
            let name = "\(place.scene.name)-\(scripts ? "scripts" : "plain")-\(width)-\(dark ? "dark" : "light")"
            steps += [.size(width, 800), .dark(dark), .axe, .picture("pages/\(name)")] as [Browser.Step]
            names.append(name)
          }
          steps.append(.look)
        }
      }
      let visit = try Browser().visit(steps)
      try #require(visit.audits.count == names.count)
      for (name, audit) in zip(names, visit.audits) {
        #expect(audit.violations == [], "\(name)")
        #expect(audit.passes > 10, "\(name): axe has run")
      }
      for (index, view) in visit.views.enumerated() {
        let scene = stage.places[index / 2].scene
        #expect(view.title.hasPrefix("Error: ") == scene.isTrouble, "\(scene.name): \(view.title)")
        #expect(view.all("main").count == 1 && view.all("heading").count { $0.name == heading(view) } == 1)
      }
      expectQuiet(visit, stage.apps)
    }
  }

  @Test("H01 a form shows its passwords and says how to hide them, with scripts and without", arguments: [false, true])
  func shown(_ scripts: Bool) async throws {
    try await PageStage.run({ $0.name == "sign-up" }) { stage in
      let place = try #require(stage.places.first)
      let toggle = "main form .toggle"
      let visit = try Browser(width: 360, scripts: scripts).visit(
        PageStage.enter(place),
        [.type(App.password, into: Pick.field("password")), scripts ? .touch(toggle) : .press(toggle), .look],
        [.overflow, .axe, .picture("pages/sign-up-shown-\(scripts ? "scripts" : "plain")")])
      #expect(visit.views[0].has("button", "Hide password") && !visit.views[0].has("button", "Show password"))
      #expect(visit.fits[0].found == [] && visit.audits[0].violations == [])
    }
  }

  /// The heading that the title begins with.
  private func heading(_ view: Browser.View) -> String {
    let title = view.title.hasPrefix("Error: ") ? String(view.title.dropFirst(7)) : view.title
    return title.components(separatedBy: " · ").first ?? ""
  }

  /// H15: nothing is asked of others, and the browser has nothing to say.
  private func expectQuiet(_ visit: Browser.Visit, _ apps: ThreeApps) {
    #expect(visit.faults == [])
    for request in visit.requests where !request.url.hasPrefix("data:") {
      #expect(request.url.hasPrefix(apps.server.url + "/t/"), "H15 no request leaves the origin")
    }
  }

  /// A window, and what people have set.
  struct Window: Sendable, CustomTestStringConvertible {
    let width: Int
    var zoom = 1
    var text = 1
    var testDescription: String { "\(width) pixels, zoom \(zoom)00 %, text \(text)00 %" }
  }

  @Test(
    "H02 nothing is cut or leads sideways at 320 pixels, at 200 and 400 % zoom, and with text of twice the size",
    arguments: [
      Window(width: 320), Window(width: 720, zoom: 2), Window(width: 1280, zoom: 4), Window(width: 640, text: 2),
    ])
  func reflow(_ window: Window) async throws {
    try await PageStage.run { stage in
      let browser = Browser(width: window.width, zoom: window.zoom, text: window.text)
      var steps: [Browser.Step] = []
      for place in stage.places {
        steps += PageStage.enter(place)
        steps += [.overflow, .axe, .picture("pages/\(place.scene.name)-\(window.width)-reflow")] as [Browser.Step]
      }
      let visit = try browser.visit(steps)
      try #require(visit.fits.count == stage.places.count)
      for (index, (place, fit)) in zip(stage.places, visit.fits).enumerated() {
        #expect(fit.found == [], "\(place.scene.name)")
        #expect(visit.audits[index].violations == [], "\(place.scene.name)")
        #expect(fit.text >= 15 * Double(window.text), "\(place.scene.name): text follows the browser's setting")
      }
    }
  }

  @Test("H01 axe finds nothing where the device forces its own few colours, light or dark")
  func forced() async throws {
    try await PageStage.run { stage in
      var steps: [Browser.Step] = [.forcedColours(true)]
      var names: [String] = []
      for place in stage.places {
        steps += PageStage.enter(place)
        for dark in [false, true] {
          let name = "\(place.scene.name)-forced-\(dark ? "dark" : "light")"
          steps += [.dark(dark), .axe, .picture("pages/\(name)")] as [Browser.Step]
          names.append(name)
        }
      }
      let visit = try Browser(width: 360).visit(steps)
      try #require(visit.audits.count == names.count)
      for (name, audit) in zip(names, visit.audits) { #expect(audit.violations == [], "\(name)") }
      #expect(visit.faults == [])
    }
  }

  @Test("H01 an element that keeps a colour of its own is found where the device forces its own few")
  func ownColour() throws {
    let page =
      "data:text/html,<html lang=en><title>Kept</title><main><h1 class=kept style=forced-color-adjust:none>Kept</h1>"
    let visit = try Browser(width: 360).visit([.forcedColours(true), .open(page), .axe])
    let violations = try #require(visit.audits.first).violations
    #expect(violations.contains { $0.hasPrefix("forced-color-adjust") && $0.contains("h1.kept") })
  }

  /// The looks of a language that axe judges: one, or with GATEHOUSE_EVERY_LOOK each that a device has, and 400 % zoom.
  private static let looks: (zooms: [Int], steps: [[Browser.Step]]) =
    ProcessInfo.processInfo.environment["GATEHOUSE_EVERY_LOOK"] == nil
    ? ([1], [[]])
    : (
      [1, 4],
      [false, true].flatMap { forced in [false, true].map { [.forcedColours(forced), .dark($0)] } }
    )

  @Test(
    "H12 every language holds the longest names, and says which it is and which way it runs",
    arguments: Language.allCases)
  func languages(_ language: Language) async throws {
    let long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    func policy(_ app: App, _ text: String) -> String {
      PageScene.policy(app, text).replacing(
        /locales: \[[^\]]*\]/, with: "locales: [\(Language.allCases.map(\.rawValue).joined(separator: ", "))]"
      )
      .replacing("  name: \(app.name)\n", with: "  name: \(long.prefix(80))\n")
    }
    try await PageStage.run(policy: policy) { stage in
      var steps: [Browser.Step] = []
      for place in stage.places {
        steps += PageStage.enter(place, at: self.address(place.address, language.rawValue))
        steps += [.look, .overflow] as [Browser.Step]
        for look in Self.looks.steps { steps += look + [.axe] }
      }
      let direction = language.direction == .rightToLeft ? " dir=\"rtl\"" : ""
      let start = "<html lang=\"\(language.rawValue)\"\(direction)>"
      let count = Self.looks.steps.count
      for zoom in Self.looks.zooms {
        var browser = Browser(width: 320 * zoom, dark: language == .german, language: language.rawValue)
        browser.zoom = zoom
        let visit = try browser.visit(steps)
        try #require(visit.views.count == stage.places.count && visit.fits.count == stage.places.count)
        try #require(visit.audits.count == count * stage.places.count)
        for (index, place) in stage.places.enumerated() {
          #expect(visit.views[index].html.contains(start), "\(place.scene.name)")
          #expect(visit.fits[index].found == [], "\(place.scene.name)")
          for audit in visit.audits[(count * index)..<(count * (index + 1))] {
            #expect(audit.violations == [], "\(place.scene.name)")
          }
        }
      }
    }
  }

  /// The same page in another language, as the switch in the footer asks for it.
  private func address(_ address: String, _ language: String) -> String {
    "\(address)\(address.contains("?") ? "&" : "?")lang=\(language)"
  }

  @Test("H12 a name that is read from right to left keeps its place, and the page stays as it is")
  func rightToLeft() async throws {
    let name = "تطبيق الرحلات"
    try await PageStage.run(
      { $0.name == "sign-in" },
      policy: { PageScene.policy($0, $1).replacing("  name: \($0.name)\n", with: "  name: \(name)\n") }
    ) { stage in
      let place = try #require(stage.places.first)
      let visit = try Browser(width: 320, language: "ar").visit(
        PageStage.enter(place), [.look, .overflow, .axe])
      #expect(visit.views[0].html.contains("<html lang=\"en\"") && visit.views[0].title.contains(name))
      #expect(!visit.views[0].html.contains("<html lang=\"en\" dir=\"rtl\""))
      #expect(visit.fits[0].found == [] && visit.audits[0].violations == [])
    }
  }

  @Test("H19 a page with seeded faults is red in each check")
  func negativeControl() throws {
    let page = """
      data:text/html,<html><head><title></title></head><body><img src="data:,"><input name="email">\
      <p style="color:%23999;background:%23aaa">pale</p><p style="width:900px">wide</p>\
      <div style="position:fixed;top:0;left:0;width:100%25;height:100%25;background:%23fff"></div></body></html>
      """
    let visit = try Browser(width: 640, scripts: true).visit([
      .open(page), .axe, .overflow, .tabTo("input"), .focus,
      .open("data:text/html,<body><script>console.error('seeded')</script></body>"),
      .open("data:text/html,<body><img src='http://127.0.0.1:59999/elsewhere'></body>"),
    ])
    let rules = visit.audits[0].rules
    for rule in ["document-title", "html-has-lang", "image-alt", "label"] {
      #expect(rules.contains(rule), "\(rules)")
    }
    #expect(!visit.fits[0].found.isEmpty)
    #expect(visit.walks[0].faults.contains { $0.hasSuffix("covered") } && visit.focuses[0].isCovered)
    #expect(visit.faults.contains { $0.contains("seeded") })
    #expect(visit.requests.contains { $0.url.contains("127.0.0.1:59999") })
  }

  @Test("H19 a page that is plain and right is green in each check")
  func positiveControl() throws {
    let page = """
      data:text/html,<html lang="en"><head><title>Good</title>\
      <style>input:focus{outline:3px solid}</style></head><body><main><h1>Good</h1>\
      <label for="a">Name</label><input id="a"></main></body></html>
      """
    let visit = try Browser(width: 640).visit([.open(page), .axe, .overflow, .tabTo("input"), .focus])
    #expect(visit.audits[0].violations == [] && visit.audits[0].passes > 5)
    #expect(visit.fits[0].found == [] && visit.walks[0].faults == [] && visit.focuses[0].isRinged)
    #expect(visit.faults == [])
  }
}
