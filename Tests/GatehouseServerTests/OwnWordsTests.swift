import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("Titles of refusals: the tenant's words, a provider's name, ours")
struct OwnWordsTests {
  /// What only programs and operators meet.
  static let others: Set<ErrorCode> = [
    .tenantNotFound, .idempotencyConflict, .payloadTooLarge, .malformedRequest, .unsupportedMediaType,
    .methodNotAllowed, .refused, .exists, .consentRequired, .revisionStale, .preconditionRequired, .requestTimeout,
    .uriTooLong, .expectationFailed, .headerFieldsTooLarge, .notImplemented, .httpVersionNotSupported,
  ]

  @Test("a policy can word every code that people meet, and no other", arguments: ErrorCode.allCases)
  func codes(code: ErrorCode) {
    #expect((Messages.Code(rawValue: code.rawValue) == nil) == Self.others.contains(code))
  }

  @Test("each code that a policy can word is one of the API's", arguments: Messages.Code.allCases)
  func known(code: Messages.Code) { #expect(ErrorCode(rawValue: code.rawValue) != nil) }

  @Test("each refusal about a provider names it in every language, and no other does", arguments: ErrorCode.allCases)
  func providers(code: ErrorCode) {
    let title = code.title(naming: "Spotify")
    #expect((title != nil) == code.rawValue.hasPrefix("provider_"))
    guard let title else { return }
    for language in Language.allCases { #expect(title[language].contains("Spotify"), "\(language)") }
    #expect(Set(Language.allCases.map { title[$0] }).count == Language.allCases.count)
  }

  private func problem(_ refusal: Refusal, _ languages: [String] = [], _ policy: Policy?) throws -> JSONValue {
    let answer = ProblemAnswer.answer(refusal, requestID: "r", languages: languages, policy: policy)
    return try JSONParser.parse(answer.body?.bytes ?? [])
  }

  private func policy(_ locales: [String], _ messages: [Messages.Code: Texts] = [:]) -> Policy {
    Policy(
      tenant: "acme", app: App(name: "Acme", locales: locales), identifiers: Identifiers(),
      password: PasswordPolicy(rules: []), messages: Messages(messages))
  }

  @Test(
    "the tenant's words win, in the first language of the caller that the app speaks",
    arguments: [
      ([], "Nothing matches"), (["en"], "Nothing matches"), (["es"], "Nada coincide"), (["es-MX"], "Nada coincide"),
      (["fr", "es"], "Nada coincide"), (["fr"], "Nothing matches"),
    ] as [([String], String)])
  func own(languages: [String], title: String) throws {
    let policy = policy(
      ["en", "es"], [.invalidCredentials: ["en": "Nothing matches", "es": "Nada coincide"]])
    #expect(try problem(Refusal(.invalidCredentials), languages, policy)["title"] == .string(title))
    let other = try problem(Refusal(.accountExists), languages, policy)["title"]
    let ours = try problem(Refusal(.accountExists), languages, nil)["title"]
    #expect(other == ours, "other codes keep their words")
  }

  @Test("in an app of one language a provider's refusal is in that one, whatever the caller reads")
  func bounded() throws {
    var refusal = Refusal(.providerNotLinked)
    refusal.provider = "spotify"
    #expect(try problem(refusal, ["es"], policy(["en"]))["title"] == .string("Please connect your Spotify account"))
    #expect(try problem(refusal, ["es"], policy(["en", "es"]))["title"] == .string("Conecta tu cuenta de Spotify"))
    #expect(try problem(refusal, ["es"], policy(["fr"]))["title"] == .string("Conecta tu cuenta de Spotify"))
    #expect(try problem(refusal, [], nil)["provider"] == .string("spotify"))
  }

  @Test("a refusal that the provider is not the reason of names none", arguments: [ErrorCode.notFound, .accountExists])
  func unnamed(code: ErrorCode) throws {
    var refusal = Refusal(code)
    refusal.provider = "spotify"
    let problem = try problem(refusal, [], policy(["en"]))
    #expect(problem["provider"] == nil && problem["title"] == .string(code.entry.title.en))
  }

  @Test(
    "without words of its own, and without a provider, a problem is ours, in the app's language",
    arguments: ErrorCode.allCases)
  func unchanged(code: ErrorCode) throws {
    for languages in [[], ["es"], ["en"], ["fr", "es"]] {
      let policy = policy(["en"])
      let now = ProblemAnswer.answer(Refusal(code), requestID: "r", languages: languages, policy: policy)
      let problem = try JSONParser.parse(now.body?.bytes ?? [])
      let names = Set(problem.object?.members.map(\.key) ?? [])
      #expect(names == ["type", "title", "status", "code", "request_id"])
      #expect(problem["title"] == .string(code.entry.title.en))
    }
  }

  @Test("a refusal that asks for another proof carries its challenge")
  func challenge() throws {
    var refusal = Refusal(.unauthenticated)
    refusal.challenge = Refusal.Challenge(id: "gh_fl_x", expiresIn: 300, factors: ["totp", "passkey"])
    let problem = try problem(refusal, [], nil)
    #expect(problem["challenge_id"] == .string("gh_fl_x"))
    #expect(problem["expires_in"] == .integer(300))
    #expect(problem["factors"] == .array([.string("totp"), .string("passkey")]))
  }
}
