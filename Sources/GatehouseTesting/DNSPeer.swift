import Foundation
import GatehousePrimitives

/// A name server of another maker, on a free loopback port: dnslib, in a child process. It holds TXT records, and
/// misbehaves at names as it is told. It ends with this object.
package final class DNSPeer: Sendable {
  /// How a name fails.
  package enum Fault: String, Sendable {
    /// No answer.
    case silent
    /// An answer that says that it was cut.
    case truncated
    /// An answer that ends within a record.
    case short
  }

  package let port: UInt16
  private let child: PeerProcess

  private init(port: UInt16, child: PeerProcess) {
    self.port = port
    self.child = child
  }

  deinit { child.stop() }

  /// Starts one and returns when it listens. `packages` is where script/bootstrap puts Python's packages.
  package static func start(packages: String) async throws -> DNSPeer {
    let child = try PeerProcess(
      String(decoding: PackageResources.name_peer_py, as: UTF8.self), names: nil, ["packages": packages])
    return DNSPeer(port: try await child.port(), child: child)
  }

  /// From now on the name has these records.
  package func set(_ name: String, _ texts: [String], fault: Fault? = nil) async throws {
    var command: [String: any Sendable] = ["name": name, "texts": texts]
    command["fault"] = fault?.rawValue
    try child.send(command)
    _ = try await child.box.next("set", within: 20)
  }

  /// How many questions it was asked.
  package var questions: Int { child.box.count("asked") }
}
