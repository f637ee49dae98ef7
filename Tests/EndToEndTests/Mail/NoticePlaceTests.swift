import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

@Suite("Notices lead to the place to act")
struct NoticePlaceTests {
  private let app = App.messai

  @Test("the mail about a new sign-in leads to the devices, by way of a sign-in")
  func devices() async throws {
    try await ThreeApps.run { apps in
      #expect(try await apps.signUp(app).status == 201)
      try await Operator.verify(app, "pat", apps)
      apps.server.clock.advance(seconds: 61)
      #expect(try await apps.signIn(app).status == 200)
      let browser = FormClient(apps, app)
      let page = try await browser.openLink(to: app.email())
      try #require(page.path == "sign-in", "\(page.address)")
      let devices = try await browser.send(page, ["email": app.email(), "password": App.password])
      #expect(devices.path == "account/devices", "\(devices.address)")
    }
  }

  @Test("the mail about a changed password leads to the page of a forgotten one")
  func password() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(app).json.accessToken
      try await Operator.verify(app, "pat", apps)
      apps.server.clock.advance(seconds: 61)
      let body = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      let changed = try await apps.messai.post("/v1/me/password", body, token: token)
      try #require((200...299).contains(changed.status), "\(changed.text)")
      #expect(try await FormClient(apps, app).openLink(to: app.email()).path == "forgot")
    }
  }

  /// The link of a notice about a new sign-in at a tenant.
  private func link(_ tenant: String, _ apps: AttestedApps) throws -> String? {
    let services = apps.server.services
    let call = Call(
      tenant: try #require(services.registry.snapshot(tenant)), requestID: "test", address: nil, languages: [],
      now: apps.server.clock.now)
    let user = StoredUser(
      id: UserID(services.clock.makeID()), email: "pat@example.com", emailVerifiedAt: call.now, profile: [:],
      createdAt: call.now, updatedAt: call.now)
    for case .message(.notify(let message, _)) in try Messaging.notice(.newDevice, to: user, call, services) {
      return try call.tenant.vault.open(message.sealedOrder, for: .outbox(message.id)).expose {
        try StrictDecoder.decode(MessageOrder.self, from: $0)
      }.link
    }
    throw Missing()
  }

  private struct Missing: Error {}

  @Test("no notice links to a page that is closed to browsers")
  func closed() async throws {
    try await AttestedApps.run { apps async throws in
      #expect(try link("sign-ins", apps) == nil)
      #expect(try link("open", apps)?.hasSuffix("/t/open/ui/account/devices") == true)
    }
  }
}
