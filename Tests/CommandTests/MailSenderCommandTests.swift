import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A sender that the configuration does not allow")
struct MailSenderCommandTests {
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password: {rules: [{id: min8, min_length: 8}]}
    mail: {from: {address: hi@acme.example}}

    """

  @Test("it makes no tenant; once it was allowed and is no more, doctor and the log of the start name it")
  func withdrawn() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let bare = try Binary.environment(database, in: directory, ["GATEHOUSE_MAIL_FROM": "no-reply@auth.example"])
    let allowing = bare.merging(["GATEHOUSE_MAIL_ALLOWED_FROM": "other.example, *@acme.example"]) { $1 }
    try Self.policy.write(to: directory.appending(path: "acme.yaml"), atomically: true, encoding: .utf8)
    let create = ["tenant", "create", "acme", "--policy", "acme.yaml"]
    let refused = try Binary.run(create, in: directory, environment: bare)
    #expect(refused.exit == 1 && refused.errors.contains("P0502"), "\(refused.errors)")
    #expect(refused.errors.contains("allowed here: no-reply@auth.example;"), "\(refused.errors)")
    #expect(try Binary.run(["policy", "check", "acme.yaml"], in: directory, environment: bare).exit == 0)
    let made = try Binary.run(create, in: directory, environment: allowing)
    #expect(made.exit == 0, "\(made.errors)")
    let said = "mail.from.address \"hi@acme.example\" is not allowed here"
    let doctor = try Binary.run(["doctor", "--dev"], in: directory, environment: bare)
    #expect(doctor.output.contains(said), "\(doctor.output)")
    let good = try Binary.run(["doctor", "--dev"], in: directory, environment: allowing)
    #expect(!good.output.contains("mail.from.address"), "\(good.output)")
    let server = try RunningBinary(
      ["serve", "--dev", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"], in: directory, environment: bare)
    let line = try await server.line(with: "policy.sender_not_allowed")
    #expect(line.contains("acme") && line.contains("its mails come from no-reply@auth.example"), "\(line)")
    #expect(server.stop() == 0)
    try await database.drop()
  }
}
