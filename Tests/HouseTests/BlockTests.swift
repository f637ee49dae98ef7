import Foundation
import Testing

/// Each block on the pages for developers of apps is tried out as it is written, or has a reason why it is not.
@Suite("Blocks on the pages for developers of apps")
struct BlockTests {
  /// The suites that try out every block of a page in a language. The Swift of all pages is compiled by `PackageTests`.
  private static let tried: [String: [String: String]] = [
    "docs/tutorial-ios.md": ["swift": "TutorialTests", "sh": "TutorialTests"],
    "docs/apps.md": [
      "js": "BackendVerificationTests", "json": "AppsPageTests", "yaml": "AppsPageTests", "python": "PushTokenTests",
    ],
    "docs/attest.md": ["yaml": "AppsPageTests"], "Examples/README.md": ["sh": "ExamplePageTests"],
  ]

  /// Blocks that only one suite knows, by their first lines.
  private static let single = [
    "docs/apps.md: verifier=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')": "AppsPageTests",
    "docs/apps.md: gatehouse admin create messai-push --scope push:write --tenant messai > push.token":
      "AppsPageTests",
    "Sources/GatehouseClient/Documentation.docc/TestingYourApp.md: gatehouse policy bundle policies/dd-ride.yaml --out dd-ride.bundle.json":
      "BundlePageTests",
  ]

  /// Blocks that no test tries out, by their first lines.
  private static let reasons = [
    "docs/tutorial-ios.md: script/server": "builds for minutes; the tests start the program that it starts",
    "docs/tutorial-ios.md: ssh -L 8080:127.0.0.1:8080 linux.example": "needs a second machine",
    "docs/apps.md: https://auth.example.com/t/vibes/ui/sign-in?continue=vibes%3A%2F%2Fsigned-in&state=STATE&code_challenge=CHALLENGE&code_challenge_method=S256":
      "words in capitals stand for values; HostedWalkTests opens such an address",
    "docs/apps.md: {\"code\": \"mfa_required\", \"challenge_id\": \"gh_fl_…\", \"expires_in\": 300, \"factors\": [\"totp\", \"recovery_code\"], \"remember_for\": 2592000}":
      "is the answer that SecondProofTests get",
    "docs/apps.md: POST /v1/mfa/verify {\"challenge_id\": \"gh_fl_…\", \"totp\": \"492039\", \"remember_device\": true}":
      "the challenge stands for one that lives five minutes; FactorContractTests complete such sign-ins",
    "docs/apps.md: POST /v1/passkeys/sign-up/start {\"email\": \"kim@example.com\"}":
      "the options stand for those of ten minutes; PasskeySignUpTests complete such sign-ups",
    "docs/apps.md: POST /v1/passkeys/sign-in/start {}":
      "the options stand for those of five minutes; PasskeySignInTests complete such sign-ins",
    "docs/apps.md: const answer = await (await fetch(base + \"/v1/passkeys/sign-in/start\", post({}))).json();":
      "needs a person with a passkey; PasskeyBrowserTests make such calls in a browser",
    "docs/apps.md: curl -s https://auth.example.com/t/vibes/v1/token -H 'Content-Type: application/json' \\":
      "the code stands for one that lives a minute; HostedClientTests redeem such codes",
  ]

  struct Block: Hashable {
    let page: String
    let language: String
    let first: String
    var name: String { "\(page): \(first)" }
  }

  private static func pages() throws -> [String] {
    let catalog = "Sources/GatehouseClient/Documentation.docc"
    let articles = try FileManager.default.contentsOfDirectory(atPath: "\(WallTests.root)/\(catalog)")
    return articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" } + [
      "docs/tutorial-ios.md", "docs/apps.md", "docs/attest.md", "Examples/README.md", "Examples/Screens/README.md",
    ]
  }

  static func blocks(_ page: String, _ text: String) -> [Block] {
    var (blocks, language, isNew): ([Block], String?, Bool) = ([], nil, false)
    for line in text.components(separatedBy: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if let open = language {
        if line == "```" {
          language = nil
        } else if isNew {
          blocks.append(Block(page: page, language: open, first: line))
        }
        isNew = false
      } else if line.hasPrefix("```") {
        (language, isNew) = (String(line.dropFirst(3)), true)
      }
    }
    return blocks
  }

  private static func all() throws -> [Block] {
    try pages().flatMap { blocks($0, try String(contentsOfFile: "\(WallTests.root)/\($0)", encoding: .utf8)) }
  }

  /// What tries a block out.
  private static func suite(_ block: Block) -> String? {
    tried[block.page]?[block.language] ?? single[block.name] ?? (block.language == "swift" ? "PackageTests" : nil)
  }

  @Test("each block is tried out by a test, or a reason says why it is not")
  func each() throws {
    let blocks = try Self.all()
    #expect(blocks.count > 40)
    #expect(Set(blocks.filter { Self.suite($0) == nil }.map(\.name)) == Set(Self.reasons.keys))
    #expect(Set(Self.single.keys).isSubset(of: blocks.map(\.name)))
    for (page, languages) in Self.tried {
      let here = Set(blocks.filter { $0.page == page }.map(\.language))
      #expect(Set(languages.keys).isSubset(of: here), "\(page)")
    }
  }

  @Test("the suites that try blocks out are there, and name the page")
  func suites() throws {
    var files: [String: String] = [:]
    for file in try #require(FileManager.default.enumerator(atPath: "\(WallTests.root)/Tests")?.allObjects as? [String])
    where file.hasSuffix("Tests.swift") {
      files[(file as NSString).lastPathComponent] = try String(
        contentsOfFile: "\(WallTests.root)/Tests/\(file)", encoding: .utf8)
    }
    for block in try Self.all() {
      guard let suite = Self.suite(block), suite != "PackageTests" else { continue }
      #expect(files["\(suite).swift"]?.contains(block.page) == true, "\(suite): \(block.page)")
    }
  }

  @Test("every page with Swift is among those that are compiled")
  func compiled() throws {
    let list = try String(contentsOfFile: "\(WallTests.root)/Bench/gatehouse_client/snippets.py", encoding: .utf8)
    for page in Set(try Self.all().filter { $0.language == "swift" }.map(\.page)) {
      #expect(page.contains("Documentation.docc") || list.contains("\"\(page)\""), "\(page)")
    }
  }

  @Test("the same look finds a block that nothing tries out")
  func control() {
    let found = Self.blocks(
      "docs/new.md", "1. Text\n\n   ```sh\n   rm -r x\n   y\n   ```\n\n```swift\nlet a = 1\n```\n")
    #expect(found.map(\.name) == ["docs/new.md: rm -r x", "docs/new.md: let a = 1"])
    #expect(found.map { Self.suite($0) } == [nil, "PackageTests"])
  }
}
