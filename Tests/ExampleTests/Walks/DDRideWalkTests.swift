import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("C19 DD Ride in a terminal")
struct DDRideWalkTests {
  private static let limited = "Email not verified: willie@ksu.edu. Enter the code of the mail, or open its link."
  private static let full = "Signed in as Willie W (willie@ksu.edu)."
  private static let signUp = [
    "sign-up", "--email", "Willie@KSU.edu", "--password", "Wildcat1", "--name", "Willie W", "--phone", "(785) 555-0123",
  ]

  @Test("C19 DD Ride: every broken rule at once, sign-up, cooldown, a wrong code, the right one, all of the account")
  func story() async throws {
    try await Walk.run { walk in
      let device = try walk.device("dd-ride-example")
      let refused = try device.run(
        "sign-up", "--email", "w@gmail.com", "--password", "wild", "--name", " ", "--phone", "555-0123")
      #expect(refused.exit == 1 && refused.lines.isEmpty)
      for start in ["Please check the form", "  email: ", "  password: ", "  name: ", "  phoneNumber: "] {
        #expect(refused.errors.contains { $0.hasPrefix(start) }, "\(start): \(refused.errors)")
      }
      #expect(try device.run(Self.signUp) == .said([Self.limited]))
      let early = try device.run("resend")
      #expect(early.exit == 1 && early.errors.last == "Try again in 60 seconds.", "\(early)")
      walk.server.clock.advance(seconds: 60)
      #expect(try device.run("resend") == .said(["Sent. The next one can be sent in 60 seconds."]))
      let code = try await walk.code(to: "willie@ksu.edu")
      let wrong = try device.run("verify", code == "000000" ? "000001" : "000000")
      #expect(wrong.exit == 1 && wrong.errors.count == 1 && wrong.lines.isEmpty, "\(wrong)")
      #expect(try device.run("whoami") == .said([Self.limited]))
      #expect(try device.run("verify", code) == .said([Self.full]))
      #expect(try device.run("rider") == .said(["Willie W, +17855550123, member, class year 1"]))
      let admin = try device.run("profile", "role=admin")
      #expect(admin.exit == 1, "only administrators write it")
      #expect(try device.run("delete", "--password", "Wildcat1") == .said(["Signed out. The account is deleted."]))
      #expect(try device.run("sign-in", "--email", "willie@ksu.edu", "--password", "Wildcat1").exit == 1)
    }
  }

  @Test(
    "C19 DD Ride: the app was closed and is open again while the address is verified elsewhere: it goes on by itself")
  func verifiedElsewhere() async throws {
    try await Walk.run { walk in
      let device = try walk.device("dd-ride-example")
      let closed = try device.start(Self.signUp)
      closed.ended()
      let running = try device.start("watch", "--every", "1")
      #expect(try await running.says(Self.limited))
      try await walk.verify("willie@ksu.edu", in: "dd-ride")
      #expect(try await running.says(Self.full))
      running.kill()
      #expect(running.lines == [Self.limited, Self.full])
      #expect(try device.run("status") == .said([Self.full]))
    }
  }

  @Test("C19 DD Ride: access tokens end while the app is open and while it is not, and no one is asked anything")
  func expiry() async throws {
    try await Walk.run { walk in
      let device = try walk.device("dd-ride-example")
      _ = try device.run(Self.signUp)
      try await walk.verify("willie@ksu.edu", in: "dd-ride")
      #expect(try device.run("whoami") == .said([Self.full]))
      let (running, other) = (try device.start("watch", "--every", "1"), try walk.device("dd-ride-example"))
      #expect(try await running.says(Self.full))
      for (hour, name) in ["Will", "Bill"].enumerated() {
        walk.server.clock.advance(seconds: 3600)
        if hour == 0 { _ = try other.run("sign-in", "--email", "willie@ksu.edu", "--password", "Wildcat1") }
        #expect(try other.run("profile", "name=\(name)").exit == 0)
        #expect(try await running.says("Signed in as \(name) (willie@ksu.edu)."))
      }
      running.kill()
      walk.server.clock.advance(seconds: 30 * 86_400)
      #expect(try device.run("whoami") == .said(["Signed in as Bill (willie@ksu.edu)."]))
    }
  }

  @Test(
    "C19 DD Ride: the server ends in the middle of a sign-up and is there again: one account, one mail, and a session")
  func restarted() async throws {
    try await Walk.run { walk in
      let device = try walk.device("dd-ride-example")
      let stop = walk.front.keep("/v1/sign-up", .behindServer)
      let running = try device.start(Self.signUp)
      #expect(try await stop.reached())
      walk.front.lead(.later)
      await walk.server.stop()
      stop.end()
      try await walk.startAgain()
      #expect(running.ended() == 0)
      #expect(running.lines == [Self.limited])
      #expect(try await walk.server.mailCount(to: "willie@ksu.edu") == 1)
      #expect(try device.run("whoami") == .said([Self.limited]))
      #expect(try device.run("devices").lines.count == 1)
    }
  }

  @Test("C19 DD Ride: a forgotten password is replaced by the mail's code, which ends what was signed in")
  func forgotten() async throws {
    try await Walk.run { walk in
      let device = try walk.device("dd-ride-example")
      _ = try device.run(Self.signUp)
      let other = try walk.device("dd-ride-example")
      #expect(try other.run("forgot", "willie@ksu.edu").exit == 0)
      let code = try await walk.code(to: "willie@ksu.edu")
      let weak = try other.run("reset", "willie@ksu.edu", code, "--password", "wild")
      #expect(weak.exit == 1 && !weak.errors.isEmpty)
      let set = try other.run("reset", "willie@ksu.edu", code, "--password", "Bluestem7")
      #expect(set.lines == ["The password is set. Sign in with it."], "\(set)")
      let ended = try device.run("whoami")
      #expect(ended.exit == 1 || ended.lines.first?.hasPrefix("Signed out.") == true, "\(ended)")
      #expect(try device.run("status").lines.first?.hasPrefix("Signed out. You were signed out from elsewhere") == true)
      #expect(try device.run("sign-in", "--email", "willie@ksu.edu", "--password", "Bluestem7").exit == 0)
    }
  }
}
