import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// A client (curl) that reaches the server's address under another name, as DNS and a proxy would lead it there.
struct NamedClient {
  let server: TestServer
  /// What it puts into the Host field.
  let host: String

  struct Answer {
    let status: Int
    let head: String
    let body: String
    var json: JSONValue { (try? JSONParser.parse(Array(body.utf8), limits: JSONParser.Limits(size: 1 << 20))) ?? .null }
    var code: String? { json["code"]?.string }
  }

  func get(_ path: String, token: String? = nil) throws -> Answer { try send("GET", path, token: token) }
  func post(_ path: String, _ body: String) throws -> Answer { try send("POST", path, body) }

  /// `target` stands in the request line in the place of the path.
  func send(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, target: String? = nil,
    fields: [String] = []
  ) throws -> Answer {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    var words = ["--silent", "--include", "--request", method, "--header", "Host: \(host)"]
    if let body { words += ["--header", "Content-Type: application/json", "--data-binary", body] }
    if let token { words += ["--header", "Authorization: Bearer \(token)"] }
    if let target { words += ["--request-target", target] }
    for field in fields { words += ["--header", field] }
    curl.arguments = words + [server.url + path]
    curl.standardOutput = output
    try curl.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    curl.waitUntilExit()
    let parts = text.components(separatedBy: "\r\n\r\n")
    let status = parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, head: parts[0], body: parts.dropFirst().joined(separator: "\r\n\r\n"))
  }
}
