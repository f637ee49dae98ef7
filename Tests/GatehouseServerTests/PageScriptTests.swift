import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("The script and the style of the pages")
struct PageScriptTests {
  private func answer(_ method: String, _ path: String) async throws -> TestClient.Answer {
    let kept = LockBox<TestClient.Answer?>(nil)
    try await SharedServer.run { server in
      let answer = try await TestClient(server.url + "/t/messai").send(method, path)
      kept.withLock { $0 = answer }
    }
    return try #require(kept.withLock { $0 })
  }

  @Test("the script takes 12 KB at most, without its comments")
  func size() {
    #expect(!PageScript.bytes.isEmpty && PageScript.bytes.count <= 12_288, "\(PageScript.bytes.count)")
    #expect(!String(decoding: PageScript.bytes, as: UTF8.self).contains("// "))
  }

  @Test("the script sends no form but that of a code, makes no code of text and writes no HTML")
  func harmless() {
    let text = String(decoding: PageScript.bytes, as: UTF8.self)
    let words = [
      ".submit(", "eval(", "new Function", "innerHTML", "document.write", "http:", "https:",
    ]
    for word in words {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.matches(of: /\.requestSubmit\(/).count == 1)
  }

  @Test("the script is at the address of its bytes, for good")
  func served() async throws {
    let script = try await answer("GET", "/ui/\(PageScript.path)")
    #expect(script.status == 200 && script.body == PageScript.bytes)
    #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
    #expect(script.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(script.headers["x-content-type-options"] == "nosniff")
    #expect(script.headers["set-cookie"] == nil)
  }

  @Test("HEAD of the script has its fields and no body")
  func head() async throws {
    let script = try await answer("HEAD", "/ui/\(PageScript.path)")
    #expect(script.status == 200 && script.body.isEmpty)
    #expect(script.headers["cache-control"] == "public, max-age=31536000, immutable")
  }

  @Test("the script of passkeys takes 7 KB at most, sends its form by its own button, and writes no HTML")
  func passkeys() {
    let text = String(decoding: PasskeyScript.file.bytes, as: UTF8.self)
    #expect(PasskeyScript.file.bytes.count <= 7168 && !text.contains("// "), "\(PasskeyScript.file.bytes.count)")
    for word in [".submit(", "eval(", "new Function", "innerHTML", "document.write", "http:", "https:"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.matches(of: /\.click\(/).count == 1)
  }

  @Test("the script of passkeys is at the address of its bytes, and on no page without a relying party")
  func passkeysServed() async throws {
    let script = try await answer("GET", "/ui/\(PasskeyScript.file.path)")
    #expect(script.status == 200 && script.body == PasskeyScript.file.bytes)
    #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
    #expect(script.headers["cache-control"] == "public, max-age=31536000, immutable")
    let page = try await answer("GET", "/ui/sign-in")
    #expect(!page.text.contains(PasskeyScript.file.path))
    #expect(page.headers["permissions-policy"] == "publickey-credentials-get=(), publickey-credentials-create=()")
  }

  @Test("no other script is there")
  func others() async throws {
    #expect(try await answer("GET", "/ui/assets/gatehouse.0123456789abcdef.js").status == 404)
    #expect(try await answer("POST", "/ui/\(PageScript.path)").status == 405)
  }

  @Test("a hosted page has the script, and allows it and nothing else", arguments: ["sign-in", "sign-up"])
  func allowed(_ page: String) async throws {
    let opened = try await answer("GET", "/ui/\(page)")
    #expect(
      opened.text.contains(#"<script src="../ui/\#(PageScript.path)" data-api="../v1" data-caps="Caps Lock is on.""#))
    let policy = opened.headers["content-security-policy"] ?? ""
    #expect(policy.contains("script-src 'self'; connect-src 'self'; ") && policy.contains("default-src 'none'"))
    #expect(!policy.contains("unsafe"))
  }

  @Test("a page behind a mail's link has no script")
  func links() async throws {
    let page = try await answer("GET", "/ui/verify-email")
    #expect(!page.text.contains("<script"))
    #expect(page.headers["content-security-policy"]?.contains("script-src") == false)
  }

  @Test("the sign-up page with its style takes 14 KB at most")
  func budget() async throws {
    let page = try await answer("GET", "/ui/sign-up")
    #expect(page.status == 200 && page.body.count <= 14 * 1024, "\(page.body.count)")
  }

  @Test("a page that asks for a new password brings the words that the script says")
  func words() async throws {
    let page = try await answer("GET", "/ui/sign-up").text
    #expect(page.contains(#"data-met="met" data-unmet="not yet""#))
    #expect(page.contains("Strength: weak|Strength: fair|Strength: good|Strength: strong"))
    #expect(page.contains(#"data-show="Show password""#))
  }

  @Test("a page has the rules of each class and element that it uses")
  func needed() {
    let always = PageRules.needed(by: "").text
    let names = PageRules.all.text.matches(of: /\.([a-z]+)[^;{}]*\{/).map { String($0.output.1) }
    var seen = 0
    for name in Set(names) where !always.contains(".\(name)") {
      seen += 1
      #expect(PageRules.needed(by: "<p class=\"\(name)\">").text.contains(".\(name)"), "\(name)")
    }
    for element in ["dl", "dt", "dd", "summary"] {
      #expect(!always.contains("\n\(element){") && PageRules.all.text.contains("\n\(element){"), "\(element)")
    }
    #expect(PageRules.needed(by: "<dl>").text.contains("\ndd{"))
    #expect(PageRules.needed(by: "<summary>").text.contains("\nsummary{"))
    #expect(seen >= 5)
  }

  @Test("spaces of the style are multiples of 4 pixels")
  func grid() {
    var seen = 0
    let rules = PageRules.all.text
    for rule in rules.matches(of: /([a-z-]+):([^;{}]+)/)
    where !rule.1.hasPrefix("font") && rule.1 != "line-height" {
      for length in rule.2.matches(of: /([0-9.]+)rem/) {
        seen += 1
        let quarters = (Double("0" + length.1) ?? 0.1) * 4
        #expect(quarters == quarters.rounded(), "\(rule.0)")
      }
    }
    #expect(seen > 50)
  }

  @Test("the switch that shows passwords, and the focus, are as large as fingers and eyes need")
  func targets() {
    let rules = PageRules.all.text
    #expect(rules.contains("min-height:2.75rem") && rules.contains(":focus-visible{outline:3px solid"))
    for medium in ["prefers-reduced-motion:reduce", "forced-colors:active", "max-width:30rem"] {
      #expect(rules.contains("@media (\(medium))"), "\(medium)")
    }
  }
}
