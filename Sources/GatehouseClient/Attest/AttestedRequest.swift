package import Foundation

/// A request with an assertion, as the contract has it.
package enum AttestedRequest {
  /// The header fields.
  package static let key = "App-Attest-Key"
  package static let challenge = "App-Attest-Challenge"
  package static let assertion = "App-Attest-Assertion"

  /// The hash that a registration attests.
  package static func hash(of challenge: String) -> Data { Data(SHA256.digest(challenge.utf8)) }

  /// The hash that an assertion signs: of the challenge, the operation (`POST /v1/sign-in`), and the digest of the body
  /// as it is sent.
  package static func hash(_ challenge: String, _ operation: String, _ body: Data) -> Data {
    Data(SHA256.digest(Array("\(challenge)\n\(operation)\n".utf8) + SHA256.digest(body)))
  }
}

extension HTTPCall {
  /// The method, and the path below the tenant: the last segments of the address, as many as the template has.
  func operation(_ template: String) -> String {
    let segments = url.path.split(separator: "/").suffix(template.split(separator: "/").count)
    return "\(method) /\(segments.joined(separator: "/"))"
  }

  /// The same request with an assertion.
  func attested(by key: String, _ challenge: String, _ assertion: Data) -> HTTPCall {
    var call = self
    call.headers[AttestedRequest.key] = key
    call.headers[AttestedRequest.challenge] = challenge
    call.headers[AttestedRequest.assertion] = assertion.base64EncodedString()
    return call
  }
}
