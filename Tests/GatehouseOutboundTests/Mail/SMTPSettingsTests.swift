import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("SMTP URLs")
struct SMTPSettingsTests {
  private func password(_ settings: SMTPSettings) -> String? {
    settings.password?.expose { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "the default is TLS or nothing",
    arguments: [
      ("smtp://mail.example.com", SMTPSettings.Security.startTLSRequired, UInt16(587)),
      ("smtps://mail.example.com", .implicitTLS, 465), ("smtp://mail.example.com:25/", .startTLSRequired, 25),
      ("smtp://mail.example.com?starttls=opportunistic", .startTLSIfOffered, 587),
      ("smtp://localhost?starttls=none", .none, 587),
    ])
  func defaults(url: String, security: SMTPSettings.Security, port: UInt16) throws {
    let settings = try SMTPSettings(url: url)
    #expect(settings.security == security && settings.port == port && settings.timeout == 30)
    #expect(settings.user == nil && settings.password == nil)
  }

  @Test("everything at once")
  func everything() throws {
    let settings = try SMTPSettings(
      url:
        "smtp://me%40ksu.edu:p%3A%2F%3F%23%20%C3%A9@[::1]:2525?starttls=required&ca=/etc/ca.pem&timeout=5&hello=a.example"
    )
    #expect(settings.user == "me@ksu.edu" && password(settings) == "p:/?# é")
    #expect(settings.host == "::1" && settings.port == 2525 && settings.authority == "[::1]:2525")
    #expect(settings.caFile == "/etc/ca.pem" && settings.timeout == 5 && settings.hello == "a.example")
  }

  @Test("T142 a password may come from a file that others can not read")
  func passwordFile() throws {
    let file = TestFolder.path("password")
    try Data("hunter2 \n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: SMTPURLError.self) { try SMTPSettings(url: "smtps://me@mail.example.com?password_file=\(file)") }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(password(try SMTPSettings(url: "smtps://me@mail.example.com?password_file=\(file)")) == "hunter2 ")
    try Data("two\nlines".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: SMTPURLError.self) { try SMTPSettings(url: "smtps://me@mail.example.com?password_file=\(file)") }
  }

  @Test(
    "a bad URL says what is wrong, and never the password",
    arguments: [
      ("http://me:hunter2@h", "must begin with smtp:// or smtps://"), ("mail.example.com", "must begin with smtp://"),
      ("smtp://me:hunter2@", "host must be"), ("smtp://me:hunter2@h:0", "port must be"),
      ("smtp://me:hunter2@h:65536", "port must be"), ("smtp://me:hunter2@h:99999999999999999999", "port must be"),
      ("smtp://me:hunter2@h:+25", "port must be"), ("smtp://me:hunter2@h:", "port must be"),
      ("smtp://me:hunter2@h/x", "path"), ("smtp://me:hun/ter2@h", "path"), ("smtp://me:hun#ter2@h", "fragment"),
      ("smtp://me:hunter2@h?tls=1", "unknown option"), ("smtp://me:hunter2@h?starttls=maybe", "starttls must be"),
      ("smtps://me:hunter2@h?starttls=required", "TLS from the first byte"),
      ("smtp://me:hunter2@h?timeout=0", "timeout must be"),
      ("smtp://me:hunter2@h?timeout=99999999999999999999", "timeout must be"),
      ("smtp://me:hunter2@h?timeout=5&timeout=6", "twice"),
      ("smtp://me:hunter2@h?starttls=none", "without TLS"),
      ("smtp://me:hunter2@h?starttls=opportunistic", "without TLS"),
      ("smtp://me:hunter2@127.0.0.1.evil.example?starttls=none", "without TLS"), ("smtp://me@h", "needs a password"),
      ("smtp://me:@h", "needs a password"), ("smtp://me:hunter2%0A@h", "needs a password"),
      ("smtp://me:hunter2%zz@h", "badly escaped"),
      ("smtp://:hunter2@h", "user is empty"), ("smtp://me:hunter2@h?password_file=/x", "leave one out"),
      ("smtp://h?password_file=/x", "needs a user"), ("smtp://me@h?password_file=/nonexistent", "can not be read"),
      ("smtp://me:hunter2@h\r\nQUIT", "printable"), ("smtp://me:hunter2@-h", "host must be"),
      ("smtp://me:hunter2@[h]", "IPv6"),
      ("smtp://me:hunter2@h?hello=a%20b", "hello"), ("smtp://me:hunter2@h?hello=", "needs a value"),
    ])
  func bad(url: String, text: String) {
    let error = #expect(throws: SMTPURLError.self) { try SMTPSettings(url: url) }
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("hunter2") == false && error?.description.contains("hun/ter2") == false)
  }

  @Test("printing the settings shows neither user nor password")
  func redaction() throws {
    let settings = try SMTPSettings(url: "smtp://willie:hunter2@mail.example.com")
    var dumped = ""
    dump(settings, to: &dumped)
    for printed in ["\(settings)", String(reflecting: settings), dumped] {
      #expect(!printed.contains("hunter2") && !printed.contains("willie") && printed.contains("mail.example.com:587"))
    }
  }
}
