import Foundation
import Testing

@Suite("C19 The hosted pages from a terminal")
struct HostedWalkTests {
  @Test(
    "C19 one start of the app prints the page, and another takes the address that came back",
    arguments: [("messai-example", "messai", "messai"), ("dd-ride-example", "dd-ride", "ddride")])
  func restart(program: String, tenant: String, scheme: String) async throws {
    try await Walk.run { walk async throws in
      let device = try walk.device(program)
      let page = try #require(try device.run("hosted", "--screen", "sign-up", "--email", "ada@example.com").lines.first)
      let base = walk.front.url + "/t/" + tenant
      #expect(page.hasPrefix("\(base)/ui/sign-in?continue=\(scheme)%3A%2F%2Fsigned-in&state="))
      #expect(page.hasSuffix("&screen=sign-up&login_hint=ada%40example.com&ui_locales=en"))
      let state = try #require(URLComponents(string: page)?.queryItems?.first { $0.name == "state" }?.value)
      let back = "\(scheme)://signed-in?state=\(state)&iss=\(base)"
      let forged = try device.run("finish", back.replacing("state=", with: "state=x") + "&code=gh_hb_x")
      #expect(forged == .refused(["This code or link is not valid."]))
      #expect(try device.run("finish", back + "&error=access_denied") == .refused(["You did not sign in."]))
      #expect(try device.run("finish", back + "&code=gh_hb_x") == .refused(["This code or link is not valid."]))
    }
  }

  @Test("C19 a page that there is not is no command line")
  func usage() async throws {
    try await Walk.run { walk async throws in
      #expect(try walk.device("vibes-example").run("hosted", "--screen", "account").exit == 64)
    }
  }
}
