import GatehousePrimitives
import GatehouseRuntime

/// The one script of the hosted pages, which work without it. Its address changes with its bytes, so that browsers keep
/// it for good.
enum PageScript {
  /// As it is served: without its comments and indents.
  static let bytes: [UInt8] = {
    let lines = String(decoding: PackageResources.gatehouse_js, as: UTF8.self).split(separator: "\n")
    let code = lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
    return Array((code.joined(separator: "\n") + "\n").utf8)
  }()

  /// Below the root of the pages.
  static let path = "assets/gatehouse.\(Hex.encode(Array(SHA256.digest(bytes).prefix(8)))).js"

  /// The sources for the script in the policy of a page's content.
  static let sources = "script-src 'self'; connect-src 'self'; "

  static let answer: Answer = {
    var answer = Answer(status: 200, Answer.Body(type: "text/javascript; charset=utf-8", bytes: bytes))
    answer.headers.set("Cache-Control", "public, max-age=31536000, immutable")
    answer.headers.set("Cross-Origin-Resource-Policy", "same-origin")
    return answer
  }()

  /// On a page from which `root` leads to the path that pages and API are below, with the words that it says.
  static func element(_ root: String, _ words: FormWords) -> HTML {
    """
    <script src="\(root)ui/\(path)" data-api="\(root)v1" data-caps="\(words.capsLock)" data-offline="\(words.offline)" data-retry="\(words.retry)" defer></script>
    """
  }
}
