import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The field of a mailed code, in a real browser")
struct CodeFieldBrowserTests {
  private let field = Pick.field("code")

  /// A DD Ride user at the page that waits for the code; steps that lead a browser there, and the code.
  private func waiting(_ apps: ThreeApps) async throws -> (steps: [Browser.Step], code: String) {
    let client = FormClient(apps, .ride)
    let page = try await client.signUp(.ride)
    let address = apps.server.url + page.address
    return ([.hold(client.cookies, at: address), .open(address)], try await client.code(to: App.ride.email()))
  }

  private func posts(_ visit: Browser.Visit) -> Int {
    visit.requests.count { $0.method == "POST" && $0.type == "Document" }
  }

  @Test("the sixth digit sends the code, once, and the page goes on")
  func typed() async throws {
    try await ThreeApps.run { apps in
      let (steps, code) = try await waiting(apps)
      let visit = try Browser(width: 390, scripts: true).visit(
        steps, [.type(String(code.prefix(5)), into: field), .complete(String(code.suffix(1)), into: field), .look])
      #expect(visit.views[0].page == "continue", "\(visit.views[0].url) \(visit.views[0].text)")
      #expect(posts(visit) == 1 && visit.faults == [])
    }
  }

  @Test("a pasted sentence with the code sends it")
  func pasted() async throws {
    try await ThreeApps.run { apps in
      let (steps, code) = try await waiting(apps)
      let visit = try Browser(width: 390, scripts: true).visit(
        steps, [.complete("\(code.prefix(3)) \(code.suffix(3)) is your DD Ride code", into: field), .look])
      #expect(visit.views[0].page == "continue" && posts(visit) == 1, "\(visit.views[0].text)")
    }
  }

  @Test("a refused code that comes back is not sent again before it changes")
  func refused() async throws {
    try await ThreeApps.run { apps in
      let (steps, code) = try await waiting(apps)
      let wrong = code == "000000" ? "000001" : "000000"
      let visit = try Browser(width: 390, scripts: true).visit(
        steps, [.complete(wrong, into: field), .look, .type(" ", into: field), .look])
      #expect(visit.views[0].title.hasPrefix("Error: ") && posts(visit) == 1, "\(visit.views[0].text)")
      #expect(visit.views[1].all("textbox").first?.isInvalid == true)
    }
  }

  @Test("without the script the field is a plain one, and its button sends it")
  func plain() async throws {
    try await ThreeApps.run { apps in
      let (steps, code) = try await waiting(apps)
      let visit = try Browser(width: 390).visit(steps, [.type(code, into: field), .look, .press(Pick.main), .look])
      try #require(visit.views.count == 2)
      #expect(visit.views[0].page == "check-mail" && visit.views[1].page == "continue", "\(visit.views[1].text)")
    }
  }

  @Test("the script tells the time of the mail in the reader's own way")
  func clock() async throws {
    try await ThreeApps.run { apps in
      let steps = try await waiting(apps).steps
      let plain = try Browser(width: 390).visit(steps, [.look])
      let told = try Browser(width: 390, scripts: true).visit(steps, [.look, .picture("journeys/code")])
      #expect(plain.views[0].text.contains("UTC") && !told.views[0].text.contains("UTC"), "\(told.views[0].text)")
      // A sentence says "at" before it: a time of the day, and never "3 minutes ago".
      #expect(told.views[0].text.contains(/\d{1,2}:\d\d/), "\(told.views[0].text)")
    }
  }
}
