import GatehousePrimitives
import GatehouseRuntime

/// The one script of the hosted pages, which work without it. Its address changes with its bytes, so that browsers keep
/// it for good.
enum PageScript {
  static let bytes = PackageResources.gatehouse_js

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

  /// On a page from which `root` leads to the path that pages and API are below.
  static func element(_ root: String) -> HTML {
    "<script src=\"\(root)ui/\(path)\" data-api=\"\(root)v1\" defer></script>"
  }
}
