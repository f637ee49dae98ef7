import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting

/// The beginning of a server: its database, the key of its tenants' keys, and policies that are compiled already.
///
/// The three apps as their files are get a copy of a database that holds them: their policies are read, tested and
/// compiled once a process. Every other set of policies gets an empty database, and the server makes the tenants
/// itself.
struct TestInstallation: Sendable {
  let database: TestDatabase
  let keyEncryptionKey: SealingKey
  /// Tenants that the database holds.
  let tenants: [TenantSnapshot]
  /// Policy files of tenants that it does not hold.
  let missing: [String: String]

  /// One for these policies, at this moment: on the given database, or on one of its own.
  static func make(
    _ policies: [String: String], on shared: TestDatabase?, at moment: Date
  ) async throws -> TestInstallation {
    if let shared {
      return TestInstallation(
        database: shared, keyEncryptionKey: try .random(version: 1), tenants: [], missing: policies)
    }
    if try policies == shipped() {
      let ready = try await threeApps.value { try await TestServer.installation(of: policies) }
      // A clock that stands before the tenants were made would see them in the future.
      if ready.madeAt <= moment {
        return TestInstallation(
          database: try await .make(from: ready.database), keyEncryptionKey: ready.keyEncryptionKey,
          tenants: ready.tenants, missing: [:])
      }
    }
    return TestInstallation(
      database: try await .make(), keyEncryptionKey: try .random(version: 1), tenants: [], missing: policies)
  }

  /// A database with tenants in it that no server is connected to, for copies.
  struct Template: Sendable {
    let database: TestDatabase
    let keyEncryptionKey: SealingKey
    let tenants: [TenantSnapshot]
    let madeAt: Date
  }

  private static let threeApps = Once<Template>()

  /// The three apps' policies as their files are.
  static func shipped() throws -> [String: String] {
    try Dictionary(uniqueKeysWithValues: ["messai", "dd-ride", "vibes"].map { ($0, try TestLists.policy($0)) })
  }
}
