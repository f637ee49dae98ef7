import Foundation
import GatehousePrimitives
import GatehouseTesting
import Testing

/// The answers of a server to a series of requests, as text that does not depend on time, port or chance. The text is
/// compared with a file of `Answers/`; with GATEHOUSE_WRITE_ANSWERS in the environment the file is written instead.
struct AnswerRecord {
  private var entries: [(title: String, text: String)] = []

  mutating func note(_ title: String, _ answer: TestClient.Answer) {
    let fields = answer.headers.filter { !Self.unstable.contains($0.key) }.sorted { $0.key < $1.key }
    let lines = ["\(answer.status)"] + fields.map { "\($0.key): \(Self.plain($0.value))" }
    entries.append((title, (lines + body(answer.text)).joined(separator: "\n")))
  }

  /// The lines of a body, JSON with a line for each member. Of a very long body its size and digest.
  private func body(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let plain = Self.plain(text)
    guard plain.count < 20_000 else {
      return ["", "(\(plain.count) characters, SHA-256 \(Hex.encode(Array(SHA256.digest(plain).prefix(8)))))"]
    }
    let isJSON = plain.hasPrefix("{")
    return [""] + (isJSON ? plain.replacing(",\"", with: ",\n\"") : plain).components(separatedBy: "\n")
  }

  /// Fields that say a time, a size or a name of the request.
  private static let unstable: Set<String> = ["date", "content-length", "x-request-id"]

  /// What differs from run to run, by the word that stands for it.
  private static let chance: [(pattern: String, word: String)] = [
    (#""qr_svg":"([^"\\]|\\.)*""#, #""qr_svg":"SVG""#), (#"(secret"?[=:]"?)[A-Z2-7]{32}"#, "$1SEED"),
    (#"([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}"#, "CODE"),
    (#"(127\.0\.0\.1|localhost)(:|%3A)\d+"#, "HOST"), (#"eyJ[\w-]+\.[\w-]+\.[\w-]+"#, "JWT"),
    (#"gh_([a-z]{2})_[\w-]+"#, "gh_$1_TOKEN"), (#"whsec_[\w/+]+=*"#, "whsec_SECRET"),
    (#"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"#, "UUID"), (#"\b([0-9a-f]{64}|[0-9a-f]{32})\b"#, "DIGEST"),
    (#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"#, "TIME"), (#"person\d+"#, "person"),
    (#"(nonce|code_challenge)=[\w-]{43}"#, "$1=RANDOM"), (#"nonce([-=]"?)[\w-]{22}"#, "nonce$1NONCE"),
    (#""(sealed|waiting)":\d+"#, #""$1":N"#),
    // One value in forty has no digit, but many capitals.
    (#"(?=[\w-]*\d|([\w-]*[A-Z]){5})(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}"#, "RANDOM"),
    (#""request_id":"[^"]+""#, #""request_id":"NAME""#), (#"operator:uid \d+( \([^)]*\))?"#, "operator:uid 0"),
    (#","delivered_at":"TIME""#, ""), (#"(?s)<style.*?</style>"#, "<style></style>"),
  ]

  private static func plain(_ text: String) -> String {
    chance.reduce(text) { text, rule in
      text.replacingOccurrences(of: rule.pattern, with: rule.word, options: .regularExpression)
    }
  }

  private var text: String { entries.map { "## \($0.title)\n\($0.text)\n" }.joined(separator: "\n") }

  private static var folder: URL { URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Answers") }

  /// Expects the answers of the file of this name, in its order.
  func expect(_ name: String) throws {
    let file = Self.folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_ANSWERS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let kept = Self.sections(try String(contentsOf: file, encoding: .utf8))
    let now = Self.sections(text)
    for (title, answer) in now { #expect(answer == kept[title], "\(title)") }
    #expect(Set(kept.keys).subtracting(now.keys) == [], "answers that no request got")
  }

  /// The text below each title.
  static func sections(_ text: String) -> [String: String] {
    let parts = ("\n" + text).components(separatedBy: "\n## ").dropFirst()
    let pairs = parts.map { part -> (String, String) in
      let title = part.prefix { $0 != "\n" }
      return (String(title), part.dropFirst(title.count).trimmingCharacters(in: .newlines))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
