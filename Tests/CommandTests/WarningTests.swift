import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseAssembly
@testable import gatehouse

@Suite("What goes wrong for people while the server is ready")
struct WarningTests {
  @Test("is told once when it begins and once when it is over")
  func news() {
    let warnings = Warnings()
    var told: [String] = []
    for sentence in [nil, "a", "b", nil, nil, "c"] {
      switch warnings.note(.mail, sentence) {
      case .began(.mail, let why): told.append(why)
      case .over(.mail): told.append("over")
      default: break
      }
    }
    #expect(told == ["a", "over", "c"])
  }

  @Test("mails that wait, and webhooks that do not work, are counted in a sentence")
  func sentences() {
    #expect(Warnings.sentence(MailBacklog(waiting: 3, oldest: 300)) == nil)
    #expect(
      Warnings.sentence(MailBacklog(waiting: 3, oldest: 420))?.hasPrefix("3 mails wait, the oldest for 7 min") == true)
    #expect(Warnings.sentence(BrokenWebhooks(disabled: 0, failing: 0)) == nil)
    #expect(Warnings.sentence(BrokenWebhooks(disabled: 1, failing: 0)) != nil)
    #expect(Warnings.sentence(BrokenWebhooks(disabled: 0, failing: 2)) != nil)
  }

  @Test("a certificate at public_url that clients refuse stands in /readyz, the log, a metric and the doctor")
  func edge() async throws {
    let peer = try await HTTPSPeer.start()
    try await ServedApp.run(environment: ["GATEHOUSE_PUBLIC_URL": peer.url("")]) { server, _, app in
      let line = try await server.line(with: "edge.not_trusted")
      #expect(line.contains("the certificate is of an authority that is not trusted here"), "\(line)")
      let ready = try await TestClient(app.operations).get("/readyz")
      #expect(ready.status == 200)
      #expect(ready.json["warnings"]?["edge"]?.string?.contains(peer.url("")) == true, "\(ready.text)")
      let metrics = try await TestClient(app.operations).get("/metrics").text
      #expect(metrics.contains("gatehouse_warning{name=\"edge\"} 1\n"))
      #expect(metrics.contains("gatehouse_warning{name=\"webhooks\"} 0\n"))
      let doctor = try app.run("doctor")
      #expect(doctor.output.contains("authority that is not trusted"), "\(doctor.output)")
    }
  }

  @Test("webhooks of all tenants that fail or were disabled are counted")
  func webhooks() async throws {
    try await ServedApp.run { server, database, app in
      let made = try app.run("webhook", "create", "dd-ride", "https://hook.example.com/x")
      #expect(made.exit == 0, "\(made.errors)")
      try await database.runAsSuperuser(script: "UPDATE gatehouse.webhook_endpoint SET failing_since = now();")
      let line = try await server.line(with: "webhooks.broken")
      #expect(line.contains("0 webhooks are disabled after failures, and 1 fail"), "\(line)")
    }
  }
}
