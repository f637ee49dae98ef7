import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What is stored, and what is lost on the way")
struct StoredTests {
  @Test("T012 T120 a stolen database holds hashes, and no password, token, code or push address")
  func dump() async throws {
    try await ThreeApps.run(cost: .owaspMinimum) { apps in
      var secrets: [String] = [App.password, App.otherPassword, "push-canary-1"]
      for app in App.allCases {
        let up = try await apps.signUp(app).json
        let renewed = try await apps.refresh(app, up.refreshToken).json
        secrets += [up.accessToken, up.refreshToken, renewed.accessToken, renewed.refreshToken]
        // The parts of an opaque token behind its prefix, and of a signed one.
        secrets += [up.refreshToken, renewed.refreshToken].map { String($0.dropFirst("gh_rt_".count)) }
        secrets += [up.accessToken].compactMap { $0.split(separator: ".").last.map(String.init) }
        let push = #"{"push_token":"push-canary-1","platform":"apns"}"#
        let kept = try await apps.client(app).send(
          "PUT", "/v1/me/sessions/current/push-token", push, token: up.accessToken)
        #expect(kept.status == 204)
        let mail = try #require(try await apps.server.latestMail(to: app.email()))
        secrets += [try #require(mail.link?.split(separator: "=").last.map(String.init))]
        #expect(try await apps.signIn(app, "nobody", password: App.otherPassword).status == 401)
      }
      let dump = try await apps.server.storage.dump()
      for secret in secrets { #expect(!secret.isEmpty && !dump.contains(secret), "\(secret)") }
      let hashes = dump.components(separatedBy: "$argon2id$v=19$m=19456,t=2,p=1$").count - 1
      #expect(hashes == 3)
      // Equal passwords are not stored alike.
      let stored = dump.split(separator: "\n").filter { $0.contains("$argon2id$") }.compactMap {
        $0.split(separator: "\t").last
      }
      #expect(Set(stored).count == 3)
      #expect(dump.contains(App.ride.email()))  // the dump does show what is stored in clear
    }
  }

  @Test("a sign-up whose answer was lost: a retry signs the user in, once and whole", arguments: App.allCases)
  func lostAnswer(app: App) async throws {
    try await ThreeApps.share { apps in
      let body = app.signUp()
      let request =
        "POST /t/\(app.rawValue)/v1/sign-up HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      try Abandoned.send(request, to: apps.server.url)
      // The app shows "network error" and the person presses the button again.
      let again = try await apps.signUp(app)
      #expect(again.status == 201 || again.code == "account_exists")
      let signedIn = try await eventually { try await apps.signIn(app).status == 200 }
      #expect(signedIn)
      let back = try await apps.signIn(app).json
      #expect(back["user"]?["profile"]?.names.isEmpty == false && back.next == app.standing.new)
      if again.status == 201 { #expect(back.userID == again.json.userID) }
    }
  }
}

/// A client whose network goes away as soon as it has sent a request.
enum Abandoned {
  static func send(_ request: String, to url: String) throws {
    let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // SAFETY: the address is a sockaddr_in that outlives the call, with its own size.
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(connected == 0)
    #expect(write(descriptor, request, request.utf8.count) == request.utf8.count)
  }
}
