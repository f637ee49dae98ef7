/// Why there is no answer. No text holds a host, an address or anything the peer said.
package enum OutboundError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A header field or a body that is never sent.
  case invalidRequest
  /// The host is not among those this request may go to.
  case hostNotAllowed
  /// The name leads only to addresses that must not be reached.
  case addressNotAllowed
  /// The name leads nowhere.
  case unresolved
  /// No connection came about.
  case unreachable
  /// The certificate does not verify, or is another host's.
  case notTrusted(CertificateTrouble)
  /// TLS failed in another way.
  case tls
  /// It took too long.
  case timedOut
  /// The answer is larger than the limit.
  case tooLarge
  /// The bytes that came are no HTTP answer, or the answer broke off.
  case malformed
  /// Too many requests are under way already.
  case busy
  /// The host failed again and again; nothing is sent for a while.
  case circuitOpen(retryAfter: Duration)
  /// The caller gave up, or the server stops.
  case cancelled

  package var description: String {
    switch self {
    case .invalidRequest: "a request that is never sent"
    case .hostNotAllowed: "the host is not on the list"
    case .addressNotAllowed: "the address is not a public one"
    case .unresolved: "the name was not found"
    case .unreachable: "no connection"
    case .notTrusted(let trouble): trouble.sentence
    case .tls: "TLS failed"
    case .timedOut: "no answer in time"
    case .tooLarge: "the answer is too large"
    case .malformed: "the answer is not HTTP, or broke off"
    case .busy: "too many requests at once"
    case .circuitOpen: "the host failed repeatedly; it is left alone for now"
    case .cancelled: "given up"
    }
  }

  /// Whether the error shows that the peer does not work.
  var isPeersFailure: Bool {
    switch self {
    case .invalidRequest, .hostNotAllowed, .busy, .circuitOpen, .cancelled: false
    case .addressNotAllowed, .unresolved, .unreachable, .notTrusted, .tls, .timedOut, .tooLarge, .malformed: true
    }
  }
}

/// Why the certificate of a peer is not believed.
package enum CertificateTrouble: Sendable, Equatable, CaseIterable {
  case expired, notYetValid, unknownAuthority, otherName, other

  /// - Parameter verification: the result of OpenSSL's verification (X509_V_ERR_…); 0, or 1 where it was not asked for,
  ///   when the name does not fit.
  init(verification: Int) {
    switch verification {
    case 0, 1, 62: self = .otherName
    case 9: self = .notYetValid
    case 10: self = .expired
    case 2, 18, 19, 20, 21, 27: self = .unknownAuthority
    default: self = .other
    }
  }

  package var sentence: String {
    switch self {
    case .expired: "the certificate has expired"
    case .notYetValid: "the certificate is not valid yet"
    case .unknownAuthority: "the certificate is of an authority that is not trusted here"
    case .otherName: "the certificate is for another name"
    case .other: "the certificate does not verify"
    }
  }
}
