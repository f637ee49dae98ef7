import Foundation
import GatehouseIdentity
import GatehousePrimitives
import Testing

@testable import GatehouseOutbound

@Suite("The members of providers' JSON, in every form that is allowed")
struct ProviderMemberTests {
  private static let now: Int64 = 1_800_000_000

  /// JSON texts of a member that mean the same as `usual`, and those that are refused, by its form.
  private static func forms(_ member: ProviderMember) -> (usual: String, same: [String], refused: [String]) {
    switch member.form {
    case .text:
      let usual = "\"\(texts[member] ?? "x")\""
      return (usual, [], ["7", "true", "[\(usual)]", "{}"])
    case .oneOrMore:
      return (#""client""#, [#"["client"]"#], ["7", "[]", "[7]", #"{"a":"client"}"#, #"["client",null]"#])
    case .time:
      let at = now + (member == .expiresAt ? 60 : 0)
      return (
        "\(at)", ["\(at).0", "\(at).75", "\(Double(at) / 1e9)e9"], ["\"\(at)\"", "[\(at)]", "-1", "1e99", "true"]
      )
    case .duration:
      return ("3600", ["3600.0", "3600.9", "3.6e3", #""3600""#, #""3600.5""#], ["-1", "true", "[3600]", #""soon""#])
    case .truth: return ("true", [#""true""#], [])
    case .words: return (#""a b""#, [#"["a","b"]"#, #""a  b ""#, #"["a b"]"#], ["7", "{}", "[7]", #""a\"b""#])
    case .word: return (#""Bearer""#, [#""bearer""#, #""BEARER""#], [#""mac""#, "7", #"["Bearer"]"#])
    case .decoration: return (#""Al""#, [], [])
    }
  }

  private static let texts: [ProviderMember: String] = [
    .issuer: "https://id.example.com", .authorizedParty: "client", .nonce: "n-1", .error: "invalid_grant",
    .email: "a@example.com",
  ]

  /// An object with a usual value for each member of a place but `error`, and this one written as it is; nil leaves it
  /// out.
  private static func object(_ place: ProviderMember.Place, _ member: ProviderMember, _ text: String?) -> String {
    let members = ProviderMember.allCases.filter { $0.place == place && $0 != .error }
    var pairs = members.map { ($0, $0 == member ? text : forms($0).usual) }
    if member == .error { pairs.append((member, text)) }
    return "{" + pairs.compactMap { name, value in value.map { "\"\(name.rawValue)\":\($0)" } }.joined(separator: ",")
      + "}"
  }

  private static let key = Result { try P256PrivateKey.generate() }

  /// The values that were read, without tokens in clear; nil where nothing was accepted.
  private static func read(_ member: ProviderMember, _ text: String?) throws -> String? {
    let bytes = Array(object(member.place, member, text).utf8)
    switch member.place {
    case .idToken:
      let key = try key.get()
      let token = try JWT.sign(claims: bytes, type: "JWT", kid: "k", key: key)
      let expected = IDToken.Expectation(
        issuers: ["https://id.example.com"], audiences: ["client"], nonce: "n-1", activity: .noted(since: now - 60))
      guard
        let taken = try? IDToken.verify(
          token, keys: VerificationKeys([VerificationKey(kid: "k", key.publicKey)]), expected, now: now)
      else { return nil }
      let claims = taken.user.claims.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return """
        \(taken.user.issuer) \(taken.user.subject) \(taken.user.email ?? "-") \(taken.user.emailVerified) \(claims)
        \(taken.issuedAt) \(taken.expiresAt) \(taken.isActive.map(String.init) ?? "-")
        """
    case .tokenAnswer:
      let answer = OutboundResponse(status: 200, headers: [], body: bytes)
      guard let grant = try? TokenAnswer.grant(answer, separator: " ", now: Date()) else { return nil }
      return """
        \(grant.accessToken.expose { $0 }) \(grant.refreshToken?.expose { $0 } ?? "-")
        \(grant.idToken?.expose { $0 } ?? "-") \(grant.expiresIn ?? -1) \(grant.scopes ?? ["-"])
        """
    }
  }

  @Test("every allowed form of a member means the same", arguments: ProviderMember.allCases)
  func same(_ member: ProviderMember) throws {
    guard member != .error else { return #expect(try Self.read(member, #""invalid_grant""#) == nil) }
    let (usual, same, refused) = Self.forms(member)
    let expected = try Self.read(member, usual)
    #expect(expected != nil)
    for text in same { #expect(try Self.read(member, text) == expected, "\(member) as \(text)") }
    for text in refused where member != .authTime {
      #expect(try Self.read(member, text) == nil, "\(member) as \(text)")
    }
    // A moment of a sign-in that cannot be read proves no sign-in.
    for text in refused where member == .authTime {
      #expect(try Self.read(member, text)?.hasSuffix("false") == true, "\(member) as \(text)")
    }
  }

  @Test("a member that is null or empty is left out", arguments: ProviderMember.allCases)
  func absent(_ member: ProviderMember) throws {
    let left = try Self.read(member, nil)
    #expect((left == nil) == member.isRequired)
    #expect(try Self.read(member, "null") == left)
    // GitHub grants nothing with an empty scope.
    if member == .scope {
      #expect(try Self.read(member, #""""#)?.hasSuffix("[]") == true)
    } else {
      #expect(try Self.read(member, #""""#) == left)
    }
  }

  @Test("decoration of another form is left out", arguments: ProviderMember.allCases.filter { $0.form == .decoration })
  func decoration(_ member: ProviderMember) throws {
    let left = try Self.read(member, nil)
    #expect(left != nil)
    #expect(try Self.read(member, #""Al""#) != left)
    for text in ["7", "true", "[]", "{}", #""a\u0007b""#, "\"" + String(repeating: "n", count: 2049) + "\""] {
      #expect(try Self.read(member, text) == left, "\(text)")
    }
  }

  @Test(
    "only the truth is true", arguments: ["false", #""false""#, #""TRUE""#, #""yes""#, "1", #""1""#, "[true]", "{}"])
  func truth(text: String) throws {
    #expect(try Self.read(.emailVerified, text) == Self.read(.emailVerified, "null"))
    #expect(try Self.read(.emailVerified, "true") != Self.read(.emailVerified, "null"))
  }
}
