import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("mfa: in a policy file")
struct MFAFileTests {
  private static let base = ReadingTests.base

  private func mfa(_ text: String, _ rest: String = "") throws -> MFA? {
    try read(Self.base + "mfa: \(text)\n\(rest)").policy.mfa
  }

  @Test("a file that is silent has no second factors, and stored revisions are silent")
  func silent() throws {
    let fresh = try read(Self.base).policy.mfa
    let stored = try PolicyFile.read(Self.base, name: "acme revision 1", as: .stored(.first)).get().policy.mfa
    #expect(fresh == nil && stored == nil)
  }

  @Test("factors and times are read; a device is not remembered, and a factor not asked for again, by default")
  func keys() throws {
    let least = try #require(try mfa("{factors: [totp]}"))
    #expect(least.factors == [.totp] && least.rememberDevice == 0 && least.validFor == nil)
    #expect(least.requiredIf == [] && least.grace == 0)
    let all = try #require(try mfa("{factors: [totp], remember_device: 30d, valid_for: 24h}"))
    #expect(all.rememberDevice == 30 * 86_400 && all.validFor == 86_400)
    #expect(all.position.line == Self.base.split(separator: "\n").count + 1)
  }

  @Test(
    "what the section can not mean is refused, with what is allowed",
    arguments: [
      ("{}", "\"factors\" is missing in mfa"), ("{factors: []}", "expected 1 to 2 members"),
      ("{factors: totp}", "expected a list"), ("{factors: [totp, totp]}", "is listed twice"),
      ("{factors: [sms]}", "expected one of totp, passkey, got \"sms\""),
      ("{factors: [topt]}", "did you mean \"totp\"?"), ("{factors: [pass_key]}", "did you mean \"passkey\"?"),
      ("{factors: [totp], remember_device: 91d}", "from 0s to 90d"), ("{factors: [totp], remember_device: 7}", "P0120"),
      ("{factors: [totp], valid_for: 299s}", "a duration from 5m"),
      ("{factors: [totp], remember_devices: 30d}", "did you mean \"remember_device\"?"),
    ])
  func refused(text: String, words: String) {
    let found = findings(Self.base + "mfa: \(text)\n")
    #expect(found.contains(words), "\(found)")
  }

  @Test(
    "a second factor is asked for again within the life of a session, in an app or on the pages",
    arguments: [
      ("40d", "refresh_idle_ttl: 1d, refresh_max_ttl: 30d, page_idle_ttl: 1d, page_max_ttl: 30d", false),
      ("30d", "refresh_idle_ttl: 1d, refresh_max_ttl: 30d, page_idle_ttl: 1d, page_max_ttl: 20d", true),
      ("30d", "refresh_idle_ttl: 1d, refresh_max_ttl: 20d, page_idle_ttl: 1d, page_max_ttl: 30d", true),
    ])
  func life(validFor: String, sessions: String, isTaken: Bool) {
    let found = findings(
      Self.base + "mfa: {factors: [totp], valid_for: \(validFor)}\nsessions: {\(sessions)}\n")
    #expect(found.contains("valid_for (40d) is longer than the life of a session (30d)") != isTaken, "\(found)")
    #expect(found.isEmpty == isTaken, "\(found)")
  }

  @Test("a mistake in sessions: is not told as one of mfa:")
  func oneMistake() {
    let found = findings(
      Self.base + "mfa: {factors: [totp], valid_for: 900d}\nsessions: {refresh_max_ttl: soon}\n")
    #expect(!found.contains("valid_for"), "\(found)")
  }

  @Test("full access does not require a factor by a second way: the section is named")
  func requirement() {
    let found = findings(Self.base + "access: {full: {requires: [mfa]}}\n")
    #expect(found.contains("P0209") && found.contains("write mfa: {factors: [totp], required_if:"), "\(found)")
  }

  @Test(
    "a longer trust in a device or in a factor is weaker, and a shorter one stricter",
    arguments: [
      ("{factors: [totp]}", "{factors: [totp], remember_device: 30d}", "mfa.remember_device: 0s → 30d"),
      ("{factors: [totp], valid_for: 24h}", "{factors: [totp]}", "mfa.valid_for: 1d → nothing"),
      ("{factors: [totp], valid_for: 1h}", "{factors: [totp], valid_for: 24h}", "mfa.valid_for: 1h → 1d"),
    ])
  func directions(strict: String, loose: String, sentence: String) throws {
    let (old, new) = (try read(Self.base + "mfa: \(strict)\n"), try read(Self.base + "mfa: \(loose)\n"))
    let (there, back) = (PolicyFile.diff(old, new), PolicyFile.diff(new, old))
    #expect(there.map(\.sentence) == [sentence] && there.map(\.relation) == [.weaker])
    #expect(back.map(\.relation) == [.stricter])
  }

  @Test("the section as a whole: it comes as a stricter change, and goes as a weaker one")
  func section() throws {
    let (without, with) = (try read(Self.base), try read(Self.base + "mfa: {factors: [totp]}\n"))
    let there = PolicyFile.diff(without, with).map { "\($0.relation) \($0.sentence)" }
    let back = PolicyFile.diff(with, without).map { "\($0.relation) \($0.sentence)" }
    #expect(there == ["stricter people can add second factors now: totp"])
    #expect(back == ["weaker people can add no second factor any more"])
  }
}
