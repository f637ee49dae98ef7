import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("A preview of the pages")
struct PagePreviewTests {
  private static let apps = ["messai", "dd-ride", "vibes"]

  private static func outcomes(_ policy: Policy) async throws -> [PagePreview.Outcome] {
    let profile = Dictionary(policy.profile.fields.map { ($0.name, Samples.value($0)) }) { $1 }
    return try await PagePreview(
      policy, email: Samples.email(policy), profile: profile, at: Date(timeIntervalSince1970: 1_795_253_400)
    ).outcomes()
  }

  private static func policy(_ app: String) throws -> Policy {
    try PolicyFile.read(TestLists.policy(app), name: app).get().policy
  }

  /// messAI where passkeys sign in and up, and are offered.
  private static func withPasskeys() throws -> Policy {
    var policy = try policy("messai")
    let first = try #require(Day("2026-01-01"))
    let former = Passkeys.FormerParty(id: "old.example", until: try #require(Day("2099-01-01")))
    policy.passkeys = Passkeys(
      use: [.signIn, .signUp], rpID: "example.com", former: former, upgrade: Passkeys.Upgrade(from: first))
    return policy
  }

  private static func shown(_ outcomes: [PagePreview.Outcome]) -> [PagePreview.Page] {
    outcomes.flatMap { outcome -> [PagePreview.Page] in
      if case .shown(let pages) = outcome { pages } else { [] }
    }
  }

  @Test("each page of the table has one sample")
  func complete() {
    #expect(PageSample.all.map { $0.page.path }.sorted() == PageTable.all.map { $0.path }.sorted())
  }

  @Test("each page is shown of one of the shipped policies, or of one with passkeys")
  func reached() async throws {
    var seen: Set<String> = []
    for policy in try Self.apps.map(Self.policy) + [Self.withPasskeys()] {
      for (sample, outcome) in zip(PageSample.all, try await Self.outcomes(policy)) {
        if case .shown = outcome { seen.insert(sample.page.path) }
      }
    }
    for page in PageTable.all { #expect(seen.contains(page.path), "\(page.path)") }
  }

  @Test("a page is there in each language of the policy, in light and dark, and as a whole document")
  func variants() async throws {
    let pages = Self.shown(try await Self.outcomes(Self.policy("dd-ride"))).filter { $0.path == "sign-in" }
    #expect(pages.map(\.file) == ["en.light", "en.dark", "es.light", "es.dark"].map { "sign-in.\($0).html" })
    #expect(pages.map { $0.html.contains("color-scheme:dark;") } == [false, true, false, true])
    for page in pages {
      #expect(page.html.hasPrefix("<!doctype html>\n<html lang=\"\(page.language)\""))
      #expect(page.html.contains("<form id=\"form\" method=\"post\""))
    }
  }

  @Test(
    "what the script of passkeys shows is shown in a preview",
    arguments: [
      ("sign-in", "Sign in with a passkey"), ("sign-in", "Use a passkey from old.example"),
      ("sign-up", "Create your account with a passkey"), ("add-passkey", "Sign in faster next time"),
      ("account/factors", "On one device only."), ("account/factors", "Synced between devices."),
    ])
  func passkeys(_ path: String, _ words: String) async throws {
    let pages = Self.shown(try await Self.outcomes(Self.withPasskeys()))
    let page = try #require(pages.first { $0.path == path })
    #expect(page.html.contains(words), "\(page.html)")
    #expect(page.html.contains(" data-passkey="))
    #expect(page.html.matches(of: /<form [^>]*data-passkey=[^>]* hidden>/).isEmpty)
  }

  @Test("a policy that is always dark has no light pages")
  func oneLight() async throws {
    let pages = Self.shown(try await Self.outcomes(Self.policy("vibes")))
    #expect(!pages.isEmpty && pages.allSatisfy(\.isDark))
  }

  @Test("what the policy has no use for is named, and the first page leads to every other one")
  func index() async throws {
    var policy = try Self.policy("messai")
    policy.providers = [Provider(name: "password", use: .signIn)]
    let outcomes = try await Self.outcomes(policy)
    #expect(outcomes.contains(.unused(path: "connect/{provider}")))
    let index = PreviewIndex.html("<b>", outcomes)
    #expect(index.contains("<title>Pages of &lt;b&gt;</title>") && index.contains("<h2>connect/{provider}</h2>"))
    for page in Self.shown(outcomes) {
      #expect(index.components(separatedBy: "src=\"\(page.file)\"").count == 3, "\(page.file)")
    }
  }

  @Test(
    "buttons of providers stand in the order of the file", arguments: [["google", "github"], ["github", "google"]])
  func providerOrder(_ order: [String]) async throws {
    var policy = try Self.policy("vibes")
    policy.providers = order.map { name in
      Provider(name: name, use: .signIn, clientID: "c")
    }
    let pages = Self.shown(try await Self.outcomes(policy))
    let page = try #require(pages.first { $0.path == "sign-in" && $0.language == "en" })
    let shown = page.html.matches(of: /name="do" value="provider:([a-z]+)"/).map { String($0.output.1) }
    #expect(shown == order)
  }
}
