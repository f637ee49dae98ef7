import Testing

@testable import GatehouseRuntime

@Suite("Malformed requests over a socket")
struct MalformedOverSocketTests {
  @Test("each is answered once with its status, and the connection is closed", arguments: [false, true])
  func refused(inPieces: Bool) async throws {
    try await withServer { running in
      for request in MalformedRequest.all where !inPieces || request.bytes.count < 1000 {
        let client = try running.client()
        if inPieces {
          for byte in request.bytes where !client.send([byte]) { break }
        } else {
          client.send(request.bytes)
        }
        let answer = try client.receive()
        #expect(answer.status == request.status, "\(request.name)")
        #expect(answer.headers["connection"] == "close", "\(request.name)")
        #expect(try client.receiveToEnd() == "", "\(request.name)")
      }
    }
  }

  @Test("a good request before a bad one is answered first, none after it is")
  func between() async throws {
    try await withServer { running in
      let client = try running.client()
      client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.receive().body == "GET /a 0")
      #expect(try client.receive().status == 400)
      #expect(try client.receiveToEnd() == "")
    }
  }
}
