import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("C19 messAI in a terminal")
struct MessAIWalkTests {
  private static let ada = ["--email", "ada@example.com", "--password", "kt49xw"]

  private func signUp(_ device: Device, email: String = "ada@example.com", name: String = "Ada") throws -> String {
    let outcome = try device.run(
      "sign-up", "--email", email, "--password", "kt49xw", "--display-name", name)
    try #require(outcome.exit == 0 && outcome.lines.count == 1, "\(outcome)")
    return outcome.lines[0]
  }

  @Test("C19 messAI: sign-up, a new start, sign-out, sign-in; each refusal has its sentence")
  func story() async throws {
    try await Walk.run { walk in
      let device = try walk.device("messai-example")
      #expect(try device.run("status") == .said(["Signed out."]))
      let short = try device.run(
        "sign-up", "--email", "ada@example.com", "--password", "kt49x", "--display-name", "Ada")
      #expect(short == .refused(["Password must be at least 6 characters."]))
      let line = try signUp(device)
      #expect(line.hasPrefix("Signed in as Ada ("))
      #expect(try device.run("status") == .said([line]))
      #expect(try device.run("whoami") == .said([line]))
      let again = try walk.device("messai-example").run(
        "sign-up", "--email", "Ada@Example.com", "--password", "kt49xw", "--display-name", "Ada")
      #expect(again == .refused(["This email is already registered."]))
      #expect(try device.run("profile", "displayName=Ada L").lines.contains("displayName: Ada L"))
      #expect(try device.run("sign-out") == .said(["Signed out."]))
      #expect(try device.run("status") == .said(["Signed out."]))
      let wrong = try device.run("sign-in", "--email", "ada@example.com", "--password", "kt49xy")
      #expect(wrong == .refused(["Invalid email or password."]))
      let back = try device.run("sign-in", "--email", "ada@example.com", "--password", "kt49xw")
      #expect(back.lines == [line.replacing("Ada", with: "Ada L")])
      #expect(try device.run("devices").lines.count == 1, "the first session was ended at the server")
    }
  }

  @Test("C19 messAI: a user who signs in is online for others, and one who signs out is offline")
  func presence() async throws {
    try await Walk.run { walk in
      let (ada, bob) = (try walk.device("messai-example"), try walk.device("messai-example"))
      let line = try signUp(ada)
      let id = String(line.dropFirst("Signed in as Ada (".count).dropLast(2))
      _ = try signUp(bob, email: "bob@example.com", name: "Bob")
      #expect(try bob.run("people", id) == .said(["Ada: online"]))
      #expect(try ada.run("offline") == .said(["Shown as offline."]))
      #expect(try bob.run("people", id) == .said(["Ada: offline"]))
      #expect(try ada.run("online") == .said(["Shown as online."]))
      #expect(try bob.run("people", id) == .said(["Ada: online"]))
      #expect(try ada.run("push", "token-1") == .said(["Notifications come to this device."]))
      #expect(try ada.run("sign-out").exit == 0)
      #expect(try bob.run("people", id) == .said(["Ada: offline"]))
    }
  }

  @Test(
    "C19 messAI: killed in the middle of a refresh, again and again, the person stays signed in, in one session",
    arguments: [Front.Place.beforeServer, .behindServer])
  func killed(_ place: Front.Place) async throws {
    try await Walk.run { walk in
      let device = try walk.device("messai-example")
      let line = try signUp(device)
      for _ in 1...3 {
        let stop = walk.front.keep("/v1/token", place)
        let running = try device.start("watch")
        #expect(try await stop.reached())
        running.kill()
        stop.end()
        #expect(running.lines == [line])
      }
      // More than the grace that the server gives a token that was used up: the key of the refresh tells whose it is.
      walk.server.clock.advance(seconds: 86_400)
      #expect(try device.run("whoami") == .said([line]))
      #expect(try device.run("devices").lines.count == 1)
    }
  }

  @Test("C19 messAI: killed as soon as it shows something, the person stays signed in")
  func killedAtOnce() async throws {
    try await Walk.run { walk in
      let device = try walk.device("messai-example")
      let line = try signUp(device)
      for _ in 1...8 {
        let running = try device.start("watch")
        #expect(try await running.says(line))
        running.kill()
        walk.server.clock.advance(seconds: 3600)
      }
      #expect(try device.run("whoami") == .said([line]))
    }
  }

  @Test("C19 messAI: without a server the person stays signed in, and what needs one says so; then it goes on")
  func offline() async throws {
    try await Walk.run { walk in
      let device = try walk.device("messai-example")
      let line = try signUp(device)
      await walk.stop()
      #expect(try device.run("status") == .said([line]))
      let asked = try device.run("whoami")
      #expect(asked == .refused(["Network error. Please check your connection."]))
      #expect(try device.run("status") == .said([line]))
      try await walk.startAgain()
      #expect(try device.run("whoami") == .said([line]))
    }
  }

  @Test("C19 messAI: a sign-out without a server is done at once, and the server hears of it later")
  func offlineSignOut() async throws {
    try await Walk.run { walk in
      let (phone, tablet) = (try walk.device("messai-example"), try walk.device("messai-example"))
      _ = try signUp(phone)
      _ = try tablet.run(["sign-in"] + Self.ada)
      #expect(try tablet.run("devices").lines.count == 2)
      walk.front.lead(.nowhere)
      #expect(try phone.run("sign-out") == .said(["Signed out."]))
      walk.front.lead(to: walk.server.url)
      #expect(try tablet.run("devices").lines.count == 2)
      let running = try phone.start("watch")
      #expect(try await eventually { try tablet.run("devices").lines.count == 1 })
      running.kill()
      #expect(running.lines == ["Signed out."])
    }
  }

  @Test("C08 messAI: two processes that share a store refresh at the same time, twenty times each, and stay signed in")
  func twoProcesses() async throws {
    try await Walk.run { walk in
      let device = try walk.device("messai-example")
      let line = try signUp(device)
      for _ in 0..<20 {
        // Each start exchanges the refresh token.
        let pair = try [device.start("whoami"), device.start("whoami")]
        #expect(pair.map { $0.ended() } == [0, 0], "\(pair.map(\.complaints))")
      }
      #expect(try device.run("whoami") == .said([line]))
      #expect(try device.run("devices").lines.count == 1)
    }
  }

  @Test("C19 messAI: an app that is open shows that its session was ended elsewhere, and why")
  func endedElsewhere() async throws {
    try await Walk.run { walk in
      let device = try walk.device("messai-example")
      let line = try signUp(device)
      let revoked = try device.start("watch", "--every", "1")
      #expect(try await revoked.says(line))
      try await walk.revoke("ada@example.com", in: "messai")
      let sentence = "Signed out. You were signed out from elsewhere. Please sign in again."
      #expect(try await revoked.says(sentence))
      revoked.kill()
      #expect(try device.run("status") == .said([sentence]), "the next start knows it as well")
      #expect(try device.run(["sign-in"] + Self.ada) == .said([line]))
      let disabled = try device.start("watch", "--every", "1")
      #expect(try await disabled.says(line))
      try await walk.disable("ada@example.com", in: "messai")
      #expect(try await disabled.says("Signed out. This account is disabled."))
      disabled.kill()
    }
  }
}
