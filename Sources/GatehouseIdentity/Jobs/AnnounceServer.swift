// A server says that it runs, and which words of the policy language it can read, so that an operator is told of
// servers that a new key is too new for.

import Foundation
import GatehousePolicyFile

package struct AnnounceServer: Sendable {
  private let server: ServerRecord
  private let services: Services

  /// `machine` is the name of this machine; of a longer one the first 255 bytes count.
  package init(version: String, machine: String, _ services: Services) {
    server = ServerRecord(
      id: services.clock.makeID(), name: AnnounceServer.name(machine), version: version,
      vocabulary: PolicyVocabulary.words, startedAt: services.clock.now)
    self.services = services
  }

  /// One round.
  package func runOnce() async throws { try await services.servers.announce(server) }

  /// The server stops.
  package func withdraw() async throws { try await services.servers.withdraw(server.id) }

  private static func name(_ machine: String) -> String {
    let visible = machine.utf8.filter { (0x21...0x7E).contains($0) }.prefix(255)
    return visible.isEmpty ? "unnamed" : String(decoding: visible, as: UTF8.self)
  }
}
