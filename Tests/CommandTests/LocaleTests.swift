import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The machine's language changes nothing")
struct LocaleTests {
  /// Turkish, where I and i are two letters each, as glibc knows it; made here, for few machines have it.
  private static func turkish(in directory: URL) throws -> [String: String] {
    let made = directory.appending(path: "locales")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/localedef")
    tool.arguments = ["-i", "tr_TR", "-f", "UTF-8", made.path + "/tr_TR.UTF-8"]
    tool.standardError = FileHandle.nullDevice
    try tool.run()
    tool.waitUntilExit()
    try #require(FileManager.default.fileExists(atPath: made.path + "/tr_TR.UTF-8/LC_CTYPE"))
    return ["LOCPATH": made.path, "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"]
  }

  @Test("policies judge the same under LANG=tr_TR.UTF-8, to the byte")
  func policies() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let turkish = try Self.turkish(in: directory)
    // The control: a program that asks for the locale does get another lower case there.
    let control = Process()
    let output = Pipe()
    control.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    control.arguments = [
      "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])",
    ]
    control.environment = turkish
    control.standardOutput = output
    try control.run()
    #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == ",\n")
    control.waitUntilExit()
    for name in ["messai", "dd-ride", "vibes"] {
      let words = ["policy", "test", "\(TestLists.root)/policies/\(name).yaml"]
      let lists = ["GATEHOUSE_LISTS": TestLists.root + "/config/lists"]
      let plain = try Binary.run(words, in: directory, environment: lists)
      let there = try Binary.run(words, in: directory, environment: lists.merging(turkish) { $1 })
      #expect(plain.exit == 0 && there.exit == 0)
      #expect(plain.output == there.output && plain.errors == there.errors, "\(name)")
    }
  }

  @Test("a server under LANG=tr_TR.UTF-8 finds ILKIN where ilkin signed up, and no user where ılkın did not")
  func server() async throws {
    let place = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: place) }
    try await ServedApp.run(environment: try Self.turkish(in: place)) { server, _, app in
      let client = TestClient(app.url + "/t/dd-ride")
      let profile = #""profile":{"name":"İlkin\r\n{\"level\":\"error\"}","phoneNumber":"7855550199"}"#
      let up = try await client.post("/v1/sign-up", #"{"email":"ILKIN@KSU.EDU","password":"Wildcat1",\#(profile)}"#)
      let back = try await client.post("/v1/sign-in", #"{"email":"ilkin@ksu.edu","password":"Wildcat1"}"#)
      let other = try await client.post("/v1/sign-in", #"{"email":"ılkın@ksu.edu","password":"Wildcat1"}"#)
      #expect(back.status == (up.status == 201 ? 200 : 401) && other.code == "invalid_credentials")
      let plain = #""profile":{"name":"İlkin","phoneNumber":"7855550199"}"#
      if up.status != 201 {
        let again = try await client.post("/v1/sign-up", #"{"email":"ILKIN@KSU.EDU","password":"Wildcat1",\#(plain)}"#)
        #expect(again.status == 201 && again.json["user"]?["email"] == .string("ilkin@ksu.edu"))
        #expect(try await client.post("/v1/sign-in", #"{"email":"Ilkin@ksu.edu","password":"Wildcat1"}"#).status == 200)
      }
      _ = try await client.send("GET", "/v1/policy", headers: ["X-Request-Id": "the-last-request"])
      _ = try await server.line(with: "the-last-request")
      // A line break from outside begins no line of the log.
      for line in server.lines { #expect((try? JSONParser.parse(Array(line.utf8)))?["level"] != nil, "\(line)") }
    }
  }
}
