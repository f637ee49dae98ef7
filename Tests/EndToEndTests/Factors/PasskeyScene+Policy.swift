import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Other policies, days and mails of a scene.
extension PasskeyScene {
  /// The newest mail to an address.
  func mail(_ local: String = "kim") async throws -> StoredMail {
    try #require(try await scene.apps.server.latestMail(to: FactorScene.app.email(local)))
  }

  /// Serves the policy with another section of passkeys.
  func serve(
    _ passkeys: String?, mfa: String? = nil, edit: (String) -> String = { $0 }
  ) async throws {
    let text = PolicyText.with(
      mfa: mfa, ProvidedApps.policy(FactorScene.app, try TestLists.policy(FactorScene.app.rawValue)))
    _ = try await scene.apps.server.apply(
      edit(text) + (passkeys.map { "passkeys: \($0)\n" } ?? ""), to: FactorScene.app.rawValue, allowsWeaker: true,
      allowsLockout: true)
    try await scene.apps.reload()
  }

  /// The day that is so many days ahead.
  func day(in days: Double) throws -> Day {
    try #require(Day(of: scene.clock.now.addingTimeInterval(days * 86_400)))
  }
}
