import Foundation
import GatehouseServerTesting
import GatehouseTesting

/// A directory with `solo.yaml`, the policy of a tenant, and a database of its own, for commands without a server.
struct SoloGround {
  static let policy = """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
    profile: {unknown_fields: reject, fields: {name: {type: string, max_length: 40}}}
    providers: {password: {use: sign_in}, google: {use: sign_in, audiences: [a.example]}}

    """

  let directory: URL
  let environment: [String: String]

  static func run(_ body: (SoloGround) async throws -> Void) async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let ground = SoloGround(directory: directory, environment: try Binary.environment(database, in: directory))
    try ground.write(policy, to: "solo.yaml")
    try await body(ground)
    try await database.drop()
  }

  func write(_ text: String, to name: String) throws {
    try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
  }

  /// Runs the command of these words.
  func run(_ words: [String]) throws -> Binary.Outcome {
    try Binary.run(words, in: directory, environment: environment)
  }

  /// Runs the command of this line.
  func run(_ line: String) throws -> Binary.Outcome { try run(line.split(separator: " ").map(String.init)) }
}
