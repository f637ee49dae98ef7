package import GatehousePolicy

/// The addresses of this server at which browsers come back from a provider. The cookie that binds a flow to its
/// browser is of one host, so a browser has to come back to the host that it left.
extension Provider {
  private func signInCallback(at issuer: String) -> String { "\(issuer)/v1/sign-in/\(name)/callback" }

  func linkCallback(at issuer: String) -> String { "\(issuer)/v1/links/\(name)/callback" }

  /// Those that the policy lists for sign-in; none means all of this server.
  private var signInRedirects: [String] { redirectURIs.filter { $0.hasSuffix(signInCallback(at: "")) } }

  /// Whether a browser that leaves from `issuer` to sign in can come back there.
  package func signsInBrowsers(at issuer: String) -> Bool {
    let here = signInCallback(at: issuer)
    return signInRedirects.isEmpty || signInRedirects.contains { $0.utf8.elementsEqual(here.utf8) }
  }

  /// Where a browser comes back to that leaves from `issuer` to sign in.
  func signInRedirect(at issuer: String) -> String {
    signsInBrowsers(at: issuer) ? signInCallback(at: issuer) : signInRedirects[0]
  }
}
