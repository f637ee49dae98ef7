import GatehousePrimitives
import GatehouseRuntime

/// A script as it is served. Its address changes with its bytes, so that browsers keep it for good.
struct ScriptFile: Sendable {
  /// Without comments and indents.
  let bytes: [UInt8]
  /// Below the root of the pages.
  let path: String

  init(_ name: String, _ source: [UInt8]) {
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n")
    let code = lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
    bytes = Array((code.joined(separator: "\n") + "\n").utf8)
    path = "assets/\(name).\(Hex.encode(Array(SHA256.digest(bytes).prefix(8)))).js"
  }

  var answer: Answer {
    var answer = Answer(status: 200, Answer.Body(type: "text/javascript; charset=utf-8", bytes: bytes))
    answer.headers.set("Cache-Control", "public, max-age=31536000, immutable")
    answer.headers.set("Cross-Origin-Resource-Policy", "same-origin")
    return answer
  }
}
