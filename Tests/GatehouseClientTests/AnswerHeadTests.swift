import Testing

@testable import GatehouseClient

@Suite("The head of an answer")
struct AnswerHeadTests {
  private func head(_ lines: String...) throws -> HTTPAnswer? {
    var head = AnswerHead()
    for line in lines { try head.take((line + "\r\n").utf8) }
    return head.answer
  }

  @Test("status and fields, their names in lower case and their values without blanks around them")
  func fields() throws {
    let answer = try #require(try head("HTTP/1.1 200 OK", "X-A:  b c \t", "Content-Length:", "no field", ""))
    #expect(answer.status == 200 && answer.headers == ["x-a": "b c", "content-length": ""])
  }

  @Test("fields of one name are one list, and a line that begins with a space goes on with the one before")
  func lists() throws {
    let answer = try head("HTTP/2 404 ", "A: one", "a: two", "\tthree", "")
    #expect(answer?.headers == ["a": "one, two three"])
  }

  @Test("there is no head before its empty line")
  func part() throws { #expect(try head("HTTP/1.1 200 OK", "A: b") == nil) }

  @Test("interim heads are forgotten, and fields behind the content say nothing")
  func interim() throws {
    #expect(try head("HTTP/1.1 100 Continue", "A: b", "") == nil)
    let answer = try head("HTTP/1.1 103 Early Hints", "A: b", "", "HTTP/1.1 204 No Content", "C: d", "", "E: f", "")
    #expect(answer?.status == 204 && answer?.headers == ["c": "d"])
  }

  @Test(
    "what is no status line is no HTTP",
    arguments: [
      "", "HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 -20 OK", "HTTP/1.1 600 OK", "ICY 200 OK",
    ])
  func garbage(line: String) {
    #expect(throws: TransportError(reason: "not HTTP")) { try head(line) }
  }

  @Test("a head tells the end of its content by more than the end of the connection")
  func end() throws {
    let ends = ["Content-Length: 5", "Transfer-Encoding: chunked", "transfer-encoding: gzip, Chunked"]
    for field in ends { #expect(try head("HTTP/1.1 200 OK", field, "")?.status == 200) }
    for status in ["HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/2 200 "] {
      #expect(try head(status, "")?.status != nil)
    }
    for field in ["Connection: close", "Transfer-Encoding: gzip"] {
      #expect(throws: TransportError(reason: "no length")) { try head("HTTP/1.1 200 OK", field, "") }
    }
    var bare = AnswerHead(mayHaveContent: false)
    for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { try bare.take(line.utf8) }
    #expect(bare.answer?.status == 200)
  }

  @Test("a head is bounded, interim heads included")
  func bounded() throws {
    var head = AnswerHead()
    #expect(throws: TransportError(reason: "too large")) {
      for _ in 0..<100_000 { for line in ["HTTP/1.1 103 Early Hints\r\n", "\r\n"] { try head.take(line.utf8) } }
    }
  }
}
