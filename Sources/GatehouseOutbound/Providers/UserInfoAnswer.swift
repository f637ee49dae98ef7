import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// The user in an answer of `userinfo`. Pure.
enum UserInfoAnswer {
  static func user(
    _ response: OutboundResponse, _ description: ProviderDescription, now: Date
  ) throws(ProviderFailure) -> ProviderUser {
    // RFC 6750 section 3.1: the access token is not good (any more).
    if response.status == 401 { throw .refused(.invalidGrant) }
    let body = try TokenAnswer.checked(response, now)
    let shape = if case .oauth2(let own) = description.base { own } else { ProviderDescription.UserInfoShape() }
    guard let issuer = description.issuers.first, let subject = subject(body[shape.subject]) else {
      throw .garbage(shape.subject)
    }
    var user = ProviderUser(issuer: issuer, subject: subject)
    if let name = shape.email, let value = body.told(name) {
      guard let email = value.string, IDToken.isPlain(email, longest: 320) else { throw .garbage(name) }
      user.email = email
      user.emailVerified = shape.emailVerified.map { IDToken.isTrue(body.told($0)) } ?? false
    }
    for (claim, member) in shape.claims {
      if let text = body.told(member)?.string, IDToken.isPlain(text, longest: 2048) { user.claims[claim] = text }
    }
    return user
  }

  private static func subject(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): IDToken.isPlain(text, longest: 255) ? text : nil
    case .integer(let number): number > 0 ? String(number) : nil
    default: nil
    }
  }
}
