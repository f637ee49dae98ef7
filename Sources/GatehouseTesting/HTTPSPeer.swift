import Foundation
import GatehousePrimitives

/// A third party's HTTPS server on a free loopback port: Python's http.server and ssl in a child process, with a
/// certificate made by openssl. It keeps what it was asked, answers as it is told, and misbehaves at some paths
/// (`/silent`, `/watched`, `/later`, `/drip`, `/endless`, `/announced`, `/headers`, `/interim`, `/garbage`, `/short`,
/// `/nothing`, `/compressed`). It ends with this object.
package final class HTTPSPeer: Sendable {
  /// One request as the peer saw it.
  package struct Received: Sendable {
    package let method: String
    package let path: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// The client's port: equal for requests of one connection.
    package let peer: Int

    /// The first field of this name, compared without case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  package let port: UInt16
  /// The PEM file a client must trust; nil without TLS.
  package let certificate: String?
  private let child: PeerProcess

  private init(port: UInt16, certificate: String?, child: PeerProcess) {
    self.port = port
    self.certificate = certificate
    self.child = child
  }

  deinit { child.stop() }

  /// Starts a peer and returns when it listens. `names` is the certificate's subjectAltName.
  package static func start(
    tls: Bool = true, names: String = "DNS:localhost,IP:127.0.0.1,IP:::1", address: String = "127.0.0.1",
    port: UInt16 = 0
  ) async throws -> HTTPSPeer {
    let child = try PeerProcess(
      String(decoding: PackageResources.https_peer_py, as: UTF8.self), names: tls ? names : nil,
      ["address": address, "port": Int(port)])
    return HTTPSPeer(port: try await child.port(), certificate: child.certificate, child: child)
  }

  /// The URL of a path, at `localhost` unless another host is named.
  package func url(_ path: String, host: String = "localhost") -> String {
    "\(certificate == nil ? "http" : "https")://\(host):\(port)\(path)"
  }

  /// Answers `path` so, `times` times and then as usual again; always when nil.
  package func answer(
    _ path: String, _ status: Int, headers: [String: String] = [:], body: String = "", times: Int? = nil
  ) async throws {
    var command: [String: any Sendable] = [
      "path": path, "status": status, "headers": headers, "body": Data(body.utf8).base64EncodedString(),
    ]
    command["times"] = times
    try child.send(command)
    _ = try await child.box.next("scripted", within: 20)
  }

  /// Answers `path` with these bytes and nothing else, and ends the connection. Of the query `cut=N` sends N of them,
  /// `drip` one at a time, and `reset` ends by a reset.
  package func answer(_ path: String, raw: [UInt8]) async throws {
    try child.send(["path": path, "raw": Data(raw).base64EncodedString()])
    _ = try await child.box.next("scripted", within: 20)
  }

  /// Waits until a connection has ended that was not returned yet.
  package func left(within seconds: Double = 20) async throws {
    _ = try await child.box.next("left", within: seconds)
  }

  /// The next request that was not returned yet; waits for it, and throws after `seconds`.
  package func next(within seconds: Double = 20) async throws -> Received {
    let event = try await child.box.next("request", within: seconds)
    let fields = (event["headers"] as? [any Sendable] ?? []).compactMap { $0 as? [any Sendable] }
    return Received(
      method: event["method"] as? String ?? "", path: event["path"] as? String ?? "",
      headers: fields.compactMap { field in
        guard field.count == 2, let name = field[0] as? String, let value = field[1] as? String else { return nil }
        return (name, value)
      }, body: Array(Data(base64Encoded: event["body"] as? String ?? "") ?? Data()), peer: event["peer"] as? Int ?? 0)
  }

  /// How many requests wait to be asked for.
  package var waiting: Int { child.box.count("request") }

  /// How many connections it has accepted, with or without a request on them.
  package var connections: Int { child.box.count("connection") }

  package typealias PeerError = PeerProcess.PeerError
}
