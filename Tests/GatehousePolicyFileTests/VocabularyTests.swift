import GatehousePolicyFile
import Testing

@Suite("Words of the policy language")
struct PolicyVocabularyTests {
  @Test(
    "keys, members of lists and closed sets of values are words",
    arguments: [
      "sessions", "sessions.reuse_grace", "password.rules.*.min_length", "profile.fields.*.type",
      "profile.fields.*.type=phone", "profile.fields.*.charset=letters", "privacy.account_exists=hide",
      "mfa.factors.*=totp", "mfa.factors.*=passkey", "mfa.required_if.*.level=phr", "passkeys.use.*=sign_in",
      "passkeys.use.*=sign_up", "passkeys.rp_id_from.until", "passkeys.upgrade.when",
      "passkeys.apps.android.*.sha256", "providers.*.client_secret",
    ])
  func words(word: String) { #expect(PolicyVocabulary.words.contains(word)) }

  @Test("a key that this version refuses is no word of it", arguments: ["identifiers.phone", "identifiers.username"])
  func unavailable(word: String) { #expect(!PolicyVocabulary.words.contains(word)) }

  @Test("this version knows each word of a file that it reads", arguments: ["dd-ride", "messai", "vibes"])
  func known(tenant: String) throws {
    let words = PolicyVocabulary.words(
      of: try read(String(decoding: Repository.bytes("policies/\(tenant).yaml"), as: UTF8.self))
    ).map(\.word)
    #expect(!words.isEmpty && Set(words).subtracting(PolicyVocabulary.words).isEmpty)
  }

  @Test("a word stands once, with its first line; words of tests are none")
  func lines() throws {
    let words = PolicyVocabulary.words(
      of: try read(
        """
        schema: gatehouse/policy.v1
        tenant: solo
        app: {name: Solo}
        password:
          rules:
            - {id: min8, min_length: 8}
            - {id: min9, min_length: 9, enforce: warn}
        tests:
          - {name: long, set_password: {password: abcdefghi}, expect: {ok: true}}
        """))
    #expect(
      words.map { "\($0.word) \($0.line)" } == [
        "schema 1", "schema=gatehouse/policy.v1 1", "tenant 2", "app 3", "app.name 3", "password 4", "password.rules 5",
        "password.rules.*.id 6", "password.rules.*.min_length 6", "password.rules.*.enforce 7",
        "password.rules.*.enforce=warn 7",
      ])
  }

  @Test("the words of this version keep to what a server's row may hold")
  func bounds() {
    let words = PolicyVocabulary.words
    #expect(words.count <= PolicyVocabulary.most && words == words.sorted() && Set(words).count == words.count)
  }
}
