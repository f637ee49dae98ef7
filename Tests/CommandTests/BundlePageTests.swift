import Foundation
import GatehousePolicy
import GatehouseServerTesting
import Testing

/// The command of Sources/GatehouseClient/Documentation.docc/TestingYourApp.md.
@Suite("The bundle of the page on testing an app")
struct BundlePageTests {
  @Test("the command of the page writes the file that its test reads")
  func command() throws {
    let page = "Sources/GatehouseClient/Documentation.docc/TestingYourApp.md"
    let text = try String(contentsOf: ConfigTests.root.appending(path: page), encoding: .utf8)
    let command = try #require(text.firstMatch(of: /```(?:sh)?\n(gatehouse policy bundle [^\n]+)\n```/)?.output.1)
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createSymbolicLink(
      at: directory.appending(path: "policies"), withDestinationURL: ConfigTests.root.appending(path: "policies"))
    let path = Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"
    let outcome = try Shell.run(String(command), in: directory, ["PATH": path])
    #expect(outcome.exit == 0, "\(outcome.output)")
    let bundle = try Data(contentsOf: directory.appending(path: "dd-ride.bundle.json"))
    #expect(try Policy(bundle: bundle).app.name == "DD Ride")
  }
}
