import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Mails that could not be sent, in the log of a running server")
struct FailedMailTests {
  /// The line of this event after a sign-up with mail at this server.
  private func line(_ event: String, smtp: String) async throws -> (json: JSONValue, text: String) {
    var found: (JSONValue, String)?
    try await ServedApp.run(environment: ["GATEHOUSE_SMTP_URL": smtp]) { server, _, app in
      let up = try await TestClient(app.url + "/t/dd-ride").post(
        "/v1/sign-up",
        #"{"email":"willie@ksu.edu","password":"Wildcat1","profile":{"name":"Willie W","phoneNumber":"(785) 555-0123"}}"#
      )
      #expect(up.status == 201, "\(up.text)")
      let line = try await server.line(with: event)
      found = (try JSONParser.parse(Array(line.utf8)), line)
    }
    return try #require(found)
  }

  @Test("T145 a refused mail says by which server and with which status, and not to which address")
  func refused() async throws {
    let sink = try await MailSink.start()
    try await sink.answer(.rcpt, with: "550 5.1.1 <willie@ksu.edu> Willie unknown here", times: 100)
    let (json, text) = try await line("mail.refused", smtp: sink.url)
    let note = json["note"]?.string ?? ""
    #expect(note.hasPrefix("127.0.0.1:\(sink.port): ") && note.contains("550 5.1.1"), "\(text)")
    #expect(json["code"] == .string("verify_email") && json["mail"]?.string?.utf8.count == 36, "\(text)")
    #expect(!text.lowercased().contains("willie") && !text.contains("ksu.edu"), "\(text)")
  }

  @Test("T145 a mail without a connection to the server says so")
  func unreachable() async throws {
    let (json, text) = try await line("mail.postponed", smtp: "smtp://127.0.0.1:9?starttls=none")
    #expect(json["note"]?.string?.hasPrefix("127.0.0.1:9: ") == true && text.contains("connect"), "\(text)")
    #expect(json["mail"] != nil && !text.contains("willie"), "\(text)")
  }
}
