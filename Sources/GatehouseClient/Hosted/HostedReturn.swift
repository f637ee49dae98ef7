import Foundation

/// The answer of the hosted pages in the address that they send a person back to. Any app and any page can open an
/// address of the app: one that is not the answer to this flow is refused, and leaves the flow as it was.
struct HostedReturn: Equatable {
  /// The reason for which an address is no answer; for logs.
  enum Refusal: Error, Equatable {
    case target, form, state, issuer
    /// The issuer is this tenant at another address: the app and the server are set up with two names of one place.
    case address(String)

    var word: String {
      switch self {
      case .target: "target"
      case .form: "form"
      case .state: "state"
      case .issuer, .address: "issuer"
      }
    }
  }

  enum Outcome: Equatable {
    /// To be redeemed, once.
    case code(String)
    /// The word of `error`.
    case refused(String)
  }

  let outcome: Outcome

  private static let longestCode = 512
  private static let longestWord = 64
  private static let longestIssuer = 256

  init(_ address: URL, to flow: PendingHostedSignIn, issuer: String) throws(Refusal) {
    guard let returnTo = URL(string: flow.returnTo), let target = ReturnTarget(returnTo),
      // GUARD: hosted: the address is the flow's own
      ReturnTarget(address) == target
    else { throw .target }
    let values = try Self.values(address)
    // GUARD: hosted: the state is the flow's
    guard values["state"] == flow.state else { throw .state }
    // GUARD: hosted: the issuer is the server's
    guard values["iss"] == issuer else {
      guard let other = values["iss"], Self.isSamePlace(other, issuer) else { throw .issuer }
      throw .address(other)
    }
    switch (values["code"], values["error"]) {
    case (let code?, nil) where (1...Self.longestCode).contains(code.utf8.count): outcome = .code(code)
    case (nil, let word?) where (1...Self.longestWord).contains(word.utf8.count): outcome = .refused(word)
    default: throw .form
    }
  }

  /// Whether an issuer is a web address that differs from ours in its scheme, its host or its port alone.
  private static func isSamePlace(_ other: String, _ issuer: String) -> Bool {
    guard other.utf8.count <= longestIssuer, let theirs = URLComponents(string: other),
      let ours = URLComponents(string: issuer), ["https", "http"].contains(theirs.scheme), theirs.host?.isEmpty == false
    else { return false }
    return theirs.user == nil && theirs.password == nil && theirs.query == nil && theirs.fragment == nil
      && theirs.percentEncodedPath == ours.percentEncodedPath
  }

  /// The parameters of the answer (RFC 6749, section 4.1.2; RFC 9207, section 2). One that comes twice has no value
  /// that all readers agree on.
  private static func values(_ address: URL) throws(Refusal) -> [String: String] {
    let names: Set<String> = ["code", "error", "state", "iss"]
    var values: [String: String] = [:]
    for item in URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems ?? []
    where names.contains(item.name) {
      // GUARD: hosted: no parameter comes twice
      guard values[item.name] == nil else { throw .form }
      values[item.name] = item.value ?? ""
    }
    return values
  }
}

/// The target of an address, without its parameters, in the one spelling of those that mean the same (RFC 3986, section
/// 6.2): browsers rewrite case, the usual port and an empty path.
struct ReturnTarget: Equatable {
  private let origin: String
  private let path: String

  /// Nil for what is no absolute address, and for one that names a user or ends in a fragment.
  init?(_ address: URL) {
    guard let parts = URLComponents(url: address, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), parts.user == nil, parts.password == nil,
      parts.fragment == nil
    else { return nil }
    let usual = ["https": 443, "http": 80][scheme]
    let port = parts.port == usual ? nil : parts.port
    origin = scheme + "://" + (parts.encodedHost ?? "").lowercased() + (port.map { ":\($0)" } ?? "")
    path = parts.percentEncodedPath.isEmpty && usual != nil ? "/" : parts.percentEncodedPath
  }
}
