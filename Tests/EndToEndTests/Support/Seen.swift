import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension TestClient.Answer {
  /// All that a caller can see of an answer, but for what differs each time: the date and the request's name.
  var seen: [String: String] {
    var seen = headers
    seen["date"] = nil
    let id = seen.removeValue(forKey: "x-request-id") ?? ""
    seen[":status"] = String(status)
    seen[":body"] = id.isEmpty ? text : text.replacing(id, with: "")
    return seen
  }

  /// The same without the id of a sign-up or of a reset, which differs each time as well.
  var unnamed: [String: String] {
    var unnamed = seen
    for id in [signUpID, resetID] where !id.isEmpty { unnamed[":body"] = unnamed[":body"]?.replacing(id, with: "") }
    return unnamed
  }

  /// The request for a reset, which the code of its mail needs.
  var resetID: String { json["reset_id"]?.string ?? "" }

  /// The sign-up that a mail will complete, where the tenant hides who has an account.
  var signUpID: String { json["sign_up_id"]?.string ?? "" }

  /// The policy that judged it, as its header says.
  var revision: Int? { headers["policy-revision"].flatMap { Int($0) } }
  var retryAfter: Int? { headers["retry-after"].flatMap { Int($0) } }
}

/// Policy files as an editor changes them.
enum PolicyText {
  /// Without the file's own tests, which say what the true rules let in.
  static func withoutTests(_ text: String) -> String {
    guard let tests = text.range(of: "\ntests:") else { return text }
    return String(text[..<tests.lowerBound]) + "\n"
  }

  /// Without the section of this name.
  static func without(_ section: String, _ text: String) -> String {
    var isInSection = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix(section + ":") {
        isInSection = true
      } else if line.first?.isLetter == true {
        isInSection = false
      }
      return !isInSection
    }
    return lines.joined(separator: "\n")
  }

  /// With other limits in the place of the file's.
  static func limits(_ limits: String, in text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("limits:") ? "limits: {\(limits)}" : $0 }.joined(separator: "\n")
  }

  /// With addresses' accounts kept secret.
  static func hiding(_ text: String) -> String {
    text.replacing("account_exists: reveal", with: "account_exists: hide")
  }
}

/// What is in an access token, unverified.
enum Token {
  static func claims(of token: String) throws -> JSONValue {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    return try JSONParser.parse(Array(try #require(Data(base64Encoded: String(text)))))
  }
}

/// A caller at another address of this machine: all of 127.0.0.0/8 is the loopback's.
enum Elsewhere {
  /// The status of a POST of JSON, sent by curl from `address`.
  static func post(_ url: String, _ body: String, from address: String = "127.0.0.2") throws -> Int {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    curl.arguments = [
      "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--interface", address, "--header",
      "Content-Type: application/json", "--data", body, url,
    ]
    curl.standardOutput = output
    try curl.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    curl.waitUntilExit()
    return Int(String(decoding: data, as: UTF8.self)) ?? 0
  }
}

/// Runs `body` for every index at the same time; the answers come in the order of the indices.
func atOnce<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value) async throws
  -> [Value]
{
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    for index in 0..<count { group.addTask { (index, try await body(index)) } }
    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
