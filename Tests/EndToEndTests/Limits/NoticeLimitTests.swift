import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Mails that their reader did not ask for")
struct NoticeLimitTests {
  /// A person of messAI, whose address is proven or not.
  private static func run(isProven: Bool = true, _ body: (ThreeApps, String) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai ? PolicyText.limits("sign_in_per_account: 1000/15m", in: text) : text
    }) { apps in
      let token = try await apps.signUp(.messai).json.accessToken
      if isProven { try await Operator.verify(.messai, "pat", apps) }
      try await body(apps, token)
    }
  }

  /// Does something so many times, and answers how many mails came.
  private static func mails(_ times: Int, _ apps: ThreeApps, _ act: () async throws -> Int) async throws -> Int {
    let before = try await apps.server.mailCount(to: App.messai.email())
    for _ in 0..<times {
      apps.server.clock.advance(seconds: 1)
      let status = try await act()
      #expect((200..<300).contains(status))
    }
    return try await apps.server.mailCount(to: App.messai.email()) - before
  }

  private static func newPassword(_ apps: ThreeApps, _ token: String) async throws -> Int {
    let change = #"{"current_password":"\#(App.password)","password":"\#(App.password)"}"#
    return try await apps.messai.post("/v1/me/password", change, token: token).status
  }

  @Test("T163 ten new passwords, all that an hour has, are five mails")
  func kind() async throws {
    try await Self.run { apps, token in
      let told = try await Self.mails(10, apps) { try await Self.newPassword(apps, token) }
      #expect(told == 5)
    }
  }

  @Test("T163 a flood of one kind keeps no notice of another kind from its reader")
  func otherKind() async throws {
    try await Self.run { apps, token in
      _ = try await Self.mails(10, apps) { try await Self.newPassword(apps, token) }
      let device = try await Self.mails(1, apps) { try await apps.signIn(.messai).status }
      #expect(device == 1)
    }
  }

  @Test("T163 the next day notices go out again")
  func nextDay() async throws {
    try await Self.run { apps, token in
      _ = try await Self.mails(6, apps) { try await Self.newPassword(apps, token) }
      apps.server.clock.advance(seconds: 86_400)
      let back = try await apps.signIn(.messai).json.accessToken
      let told = try await Self.mails(1, apps) { try await Self.newPassword(apps, back) }
      #expect(told == 1)
    }
  }

  @Test("T163 an unproven address gets one notice, and no other of any kind")
  func unproven() async throws {
    try await Self.run(isProven: false) { apps, token in
      let password = try await Self.mails(3, apps) { try await Self.newPassword(apps, token) }
      let device = try await Self.mails(1, apps) { try await apps.signIn(.messai).status }
      #expect([password, device] == [1, 0])
    }
  }
}
