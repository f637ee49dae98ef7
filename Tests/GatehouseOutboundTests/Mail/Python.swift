import Foundation

/// Python's email package: a reader of messages that shares nothing with ours.
enum Python {
  struct Message: Decodable {
    struct Part: Decodable {
      let type: String
      let charset: String?
      let content: String
    }

    let headers: [[String]]
    let parts: [Part]
    let defects: [String]

    func header(_ name: String) -> [String] { headers.filter { $0[0] == name }.map { $0[1] } }
  }

  private static let script = """
    import base64, email, email.policy, json, sys
    for line in sys.stdin:
        message = email.message_from_bytes(base64.b64decode(line), policy=email.policy.SMTPUTF8)
        parts = [p for p in message.walk() if not p.is_multipart()]
        print(json.dumps({
            "headers": [[k, str(v)] for k, v in message.items()],
            "parts": [{"type": p.get_content_type(), "charset": p.get_content_charset(),
                       "content": p.get_payload(decode=True).decode("utf-8")} for p in parts],
            "defects": [repr(d) for p in message.walk() for d in p.defects]
                + [repr(d) for v in message.values() for d in v.defects],
        }))
    """

  /// Reads each message.
  static func read(_ messages: [[UInt8]]) throws -> [Message] {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let lines = messages.map { Data($0).base64EncodedString() + "\n" }.joined()
    Thread.detachNewThread {
      try? input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
      try? input.fileHandleForWriting.close()
    }
    let answers = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try answers.split(separator: 0x0a).map { try JSONDecoder().decode(Message.self, from: Data($0)) }
  }
}
