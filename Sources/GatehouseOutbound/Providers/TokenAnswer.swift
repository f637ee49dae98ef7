import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// The answers of token endpoints (RFC 6749 section 5), read strictly. Pure.
enum TokenAnswer {
  /// Longer than any real one; a token of this size still fits into a header.
  private static let longestToken = 4096
  private static let year: Int64 = 31_536_000

  /// The grant in an answer, or why there is none. Some answer 200 with an error inside; the body decides.
  static func grant(_ response: OutboundResponse, separator: String, now: Date) throws(ProviderFailure) -> ProviderGrant
  {
    let body = try checked(response, now)
    guard let kind = body.told(.tokenType)?.string, kind.lowercased() == "bearer" else { throw .garbage("token_type") }
    guard let access = try token(body, .accessToken) else { throw .garbage("access_token") }
    return ProviderGrant(
      accessToken: access, refreshToken: try token(body, .refreshToken), expiresIn: try expiry(body.told(.expiresIn)),
      scopes: try scopes(body, separator), idToken: try token(body, .idToken, longest: JWT.maximumSize))
  }

  /// Success of a request that answers nothing, such as a revocation.
  static func accept(_ response: OutboundResponse, now: Date) throws(ProviderFailure) {
    guard !response.isSuccess else { return }
    _ = try checked(response, now)
  }

  /// The JSON object of an answer that is no error. Everything an error says but its code is left alone.
  static func checked(_ response: OutboundResponse, _ now: Date) throws(ProviderFailure) -> JSONValue {
    if response.status == 429 || response.status >= 500 {
      throw .unavailable(retryAfter: RetryAfter.seconds(response.header("retry-after"), now: now))
    }
    let body = try? JSONParser.parse(response.body)
    if let code = body?.told(.error)?.string {
      // Not in RFC 6749, but some providers send it instead of a status.
      if ["temporarily_unavailable", "server_error", "slow_down"].contains(code) {
        throw .unavailable(retryAfter: RetryAfter.seconds(response.header("retry-after"), now: now))
      }
      throw .refused(refusal(code))
    }
    guard response.isSuccess else {
      // A redirect is never followed, and a proxy in front of the provider may answer 400 or 404 in its own words.
      if response.status == 401 || response.status == 403 { throw .refused(.other) }
      throw .garbage("status \(response.status)")
    }
    guard let body, body.object != nil else { throw .garbage("no JSON object") }
    return body
  }

  /// Beside those of RFC 6749: GitHub's words.
  private static func refusal(_ code: String) -> ProviderFailure.Refused {
    switch code {
    case "bad_refresh_token", "bad_verification_code": .invalidGrant
    case "incorrect_client_credentials": .invalidClient
    default: ProviderFailure.Refused.allCases.first { $0.rawValue.utf8.elementsEqual(code.utf8) } ?? .other
    }
  }

  /// RFC 6749 appendix A.12 and A.17: visible ASCII.
  private static func token(
    _ body: JSONValue, _ member: ProviderMember, longest: Int = longestToken
  ) throws(ProviderFailure) -> Secret<String>? {
    guard let value = body.told(member) else { return nil }
    guard let text = value.string, text.utf8.count <= longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .garbage(member.rawValue) }
    return Secret(text)
  }

  /// Whole seconds, a year at most; some send them as text.
  private static func expiry(_ value: JSONValue?) throws(ProviderFailure) -> Int? {
    guard let value else { return nil }
    let number = value.string.flatMap { try? JSONParser.parse(Array($0.utf8)) } ?? value
    guard let seconds = number.wholeNumber, seconds >= 0 else { throw .garbage("expires_in") }
    return Int(min(seconds, year))
  }

  private static func scopes(_ body: JSONValue, _ separator: String) throws(ProviderFailure) -> [String]? {
    // An empty text says that nothing was granted, which is not the same as saying nothing.
    guard let value = body[ProviderMember.scope.rawValue], value != .null else { return nil }
    guard let texts = value.texts(atMost: 200), texts.reduce(0, { $0 + $1.utf8.count }) <= 4096 else {
      throw .garbage("scope")
    }
    let parts = texts.flatMap { $0.split { $0 == " " || separator.contains($0) } }.map(String.init)
    // RFC 6749 section 3.3.
    let isScope: (String) -> Bool = { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C } }
    guard parts.count <= 200, parts.allSatisfy(isScope) else { throw .garbage("scope") }
    return parts
  }
}

/// `Retry-After` (RFC 9110 section 10.2.3): seconds or a date, at most an hour.
enum RetryAfter {
  private static let longest = 3600

  static func seconds(_ field: String?, now: Date) -> Int? {
    guard let field, field.utf8.count <= 40 else { return nil }
    if field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let seconds = Int(field) else { return field.isEmpty ? nil : longest }
      return min(seconds, longest)
    }
    guard let date = date(field) else { return nil }
    return Int(min(max(date.timeIntervalSince(now).rounded(.up), 0), Double(longest)))
  }

  /// An IMF-fixdate (RFC 9110 section 5.6.7), the only form that may be sent.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 6, parts[5] == "GMT", parts[0].utf8.count == 4,
      let month = months.firstIndex(of: String(parts[2])),
      let day = number(parts[1], 2), let year = number(parts[3], 4), year >= 1970
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
      let second = number(clock[2], 2), hour < 24, minute < 60, second <= 60, (1...31).contains(day)
    else { return nil }
    let days = daysSince1970(year, month + 1, day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
  }

  private static func number(_ text: Substring, _ digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// Days in the proleptic Gregorian calendar; the year begins in March, so that a leap day is its last.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let (era, ofEra) = shifted.quotientAndRemainder(dividingBy: 400)
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
