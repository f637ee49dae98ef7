import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The root certificate of attested apps")
struct AttestRootTests {
  static let app = "0123456789.com.example.app"

  /// New people come by an attested app alone.
  static let policy = """
    schema: gatehouse/policy.v1
    tenant: attested
    app: {name: Attested}
    password: {rules: [{id: min8, min_length: 8}]}
    attest: {ios: {team: "0123456789", bundle: com.example.app, environment: development}, doors: [sign_up]}

    """

  @Test("a file that is missing or holds no certificate keeps a server from starting, by name")
  func start() throws {
    let folder = try Binary.directory()
    func start(_ text: String?) throws -> String {
      let path = folder.path + "/root.pem"
      if let text { try text.write(toFile: path, atomically: true, encoding: .utf8) }
      let served = try Binary.run(
        ["serve", "--dev", "--database", "postgres://nobody@127.0.0.1:9/nowhere"], in: folder,
        environment: ["GATEHOUSE_ATTEST_APPLE_ROOT": path, "GATEHOUSE_DATA_DIR": folder.path + "/data"])
      #expect(served.exit != 0)
      return served.errors
    }
    let missing = try start(nil)
    #expect(missing.contains("attest.apple_root") && missing.contains("No such file"), "\(missing)")
    let rubbish = try start("rubbish")
    #expect(rubbish.contains("does not hold 1 to 8 certificates in PEM"), "\(rubbish)")
  }

  @Test("without a root a policy that demands an attested app is not applied, and the doctor names a live one")
  func rootless() async throws {
    let root = try TestAttestationRoot(now: Date()).file()
    try await ServedApp.run(policies: ["attested": Self.policy], environment: ["GATEHOUSE_ATTEST_APPLE_ROOT": root]) {
      _, _, app in
      let edited = Self.policy.replacing("[sign_up]", with: "[sign_up, sign_in]")
      try edited.write(to: app.directory.appending(path: "edited.yaml"), atomically: true, encoding: .utf8)
      let bare = app.environment.filter { $0.key != "GATEHOUSE_ATTEST_APPLE_ROOT" }
      let refused = try Binary.run(
        ["policy", "apply", "attested", "edited.yaml"], in: app.directory, environment: bare)
      #expect(refused.exit == 1 && refused.errors.contains("attest.apple_root is not set"), "\(refused.errors)")
      let doctor = try Binary.run(["doctor", "--dev"], in: app.directory, environment: bare)
      #expect(doctor.output.contains("attest.apple_root is not set"), "\(doctor.output)")
      let good = try app.run("doctor", "--dev")
      #expect(!good.output.contains("attest.apple_root"), "\(good.output)")
      let applied = try app.run("policy", "apply", "attested", "edited.yaml", "--reason", "sign-in too")
      #expect(applied.exit == 0, "\(applied.errors)")
    }
  }
}
