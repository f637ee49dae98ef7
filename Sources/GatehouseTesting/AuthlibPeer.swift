import Foundation

/// A third party's OpenID provider: oidc-provider-mock, which stands on Authlib, over HTTPS in a child process. It
/// knows no client and takes every one; a request that posts `sub` to its authorization address signs in as that
/// person. It ends with this object.
package final class AuthlibPeer: Sendable {
  package let port: UInt16
  /// The PEM file a client must trust.
  package let certificate: String
  private let child: PeerProcess

  private init(port: UInt16, certificate: String, child: PeerProcess) {
    self.port = port
    self.certificate = certificate
    self.child = child
  }

  deinit { child.stop() }

  /// Starts one and returns when it listens. `packages` is where script/bootstrap puts Python's packages.
  package static func start(packages: String) async throws -> AuthlibPeer {
    let child = try PeerProcess(
      String(decoding: PackageResources.authlib_peer_py, as: UTF8.self), names: "DNS:localhost", ["packages": packages])
    return AuthlibPeer(port: try await child.port(), certificate: child.certificate ?? "", child: child)
  }

  package var issuer: String { "https://localhost:\(port)" }
}
