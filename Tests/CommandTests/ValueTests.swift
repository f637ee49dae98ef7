import Foundation
import Glibc
import Testing

@testable import gatehouse

@Suite("Values of flags and settings")
struct ValueTests {
  @Test(
    "a duration needs a unit and at most nine digits",
    arguments: [
      ("500ms", 500), ("15s", 15_000), ("10m", 600_000), ("24h", 86_400_000), ("30d", 2_592_000_000),
      ("999999999d", 86_399_999_913_600_000),
    ])
  func durations(_ text: String, _ milliseconds: Int) {
    #expect(Span(text)?.milliseconds == milliseconds)
  }

  @Test(
    "what is no duration is refused",
    arguments: ["", "15", "m", "1.5h", "-1s", "1 h", "1H", "1000000000s", "1e3s", "15s "])
  func noDuration(_ text: String) { #expect(Span(text) == nil) }

  @Test(
    "addresses are numeric and have a port",
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:9090", "::1", 9090), ("0.0.0.0:0", "0.0.0.0", 0),
    ])
  func addresses(_ text: String, _ host: String, _ port: Int) {
    let address = Address(text)
    #expect(address?.host == host && address?.port == port && address?.description == text)
  }

  @Test(
    "an invalid address is refused",
    arguments: [
      "", ":8080", "8080", "localhost:80", "::1:80", "[::1]", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
      "127.1:80",
      "[127.0.0.1]:80", "127.0.0.1:80 ", "1.2.3.4:+8",
    ])
  func noAddress(_ text: String) { #expect(Address(text) == nil) }

  @Test(
    "a password in a URL is seen",
    arguments: [
      ("postgres://a:b@h/d", true), ("postgres://a@h/d", false), ("postgres://h/d?password=x", true),
      ("postgres://h:5432/d", false), ("postgres:///d?host=/run", false), ("postgres://a:b:c@d@h/x", true),
    ])
  func passwords(_ text: String, _ expected: Bool) {
    #expect(URLShape(text, schemes: ["postgres"], hostless: true)?.hasPassword == expected)
  }
}

@Suite("Printed data")
struct OutputTests {
  @Test(
    "text that a spreadsheet would run is disarmed", arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
  func formulas(_ text: String) {
    #expect(CSVText.field(.text(text)) == "\"'\(text)\"")
  }

  @Test("CSV quotes what needs it and leaves numbers alone")
  func csv() {
    #expect(CSVText.field(.integer(-5)) == "-5")
    #expect(CSVText.field(.text("a\"b")) == "\"a\"\"b\"")
    #expect(CSVText.field(.text("a\r\nb")) == "\"a\r\nb\"")
    #expect(CSVText.field(.text("\"\u{301}")) == "\"\"\"\u{301}\"")
    #expect(CSVText.field(.text("plain")) == "plain" && CSVText.field(.none) == "")
  }

  @Test("JSON escapes what ends a string, a line or a terminal's patience")
  func json() {
    #expect(JSONOutput.string("a\"\\\n\u{1B}\u{9B}\u{2028}é") == "\"a\\\"\\\\\\n\\u001b\\u009b\\u2028é\"")
    let table = Table(kind: "x.list", columns: [.init("a", "A"), .init("b", "B")], rows: [[.integer(1), .none]])
    #expect(
      JSONOutput.document(kind: "x.list", key: "items", value: .list(table.rows.map(table.object)))
        == #"{"version":2,"kind":"x.list","items":[{"a":1,"b":null}]}"#)
  }

  @Test("escapes and bidirectional overrides are made visible in tables")
  func visible() {
    #expect(Visible.line("a\u{1B}[31m\u{202E}b\n") == "a\\u{1b}[31m\\u{202e}b\\n")
  }

  @Test("a table fits its terminal, and turns into records where it cannot", arguments: [20, 30, 40, 60, 100])
  func fits(_ width: Int) {
    let columns = ["id", "address", "name", "state"].map { Table.Column($0, $0) }
    let row: [Cell] = [
      .text("019700000000"), .text("willie.wildcat@ksu.edu"), .text("漢字漢字漢字"), .text("disabled since March"),
    ]
    let text = TableText(width: width, colour: false).table(Table(kind: "t", columns: columns, rows: [row]))
    let records = text.hasPrefix("id ")
    #expect(records == (width < 31))
    if !records { for line in text.split(separator: "\n") { #expect(Visible.width(line) <= width) } }
    let whole = TableText(width: nil, colour: false).table(Table(kind: "t", columns: columns, rows: [row]))
    #expect(whole.contains("disabled since March") && !whole.contains("\u{1B}"))
  }

  @Test(
    "times are RFC 3339 in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_795_224_398, "2026-11-21T01:26:38Z"),
      (-1, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
  func times(_ seconds: Int, _ text: String) { #expect(Timestamp.text(seconds: seconds) == text) }
}

@Suite("The log")
struct LogTests {
  func line(_ form: LogForm, _ fields: LogField...) -> String {
    form.line(milliseconds: 1_795_224_398_007, .info, "request", fields)
  }

  @Test("a line is one JSON object with its fields in order")
  func json() {
    let text = line(
      .json, .requestID("r-1"), .tenant("dd-ride"), .route("/t/{tenant}/v1/sign-up"), .code("validation_failed"),
      .status(422), .microseconds(12_045))
    #expect(
      text == #"{"time":"2026-11-21T01:26:38.007Z","level":"info","event":"request","request_id":"r-1","#
        + #""tenant":"dd-ride","route":"/t/{tenant}/v1/sign-up","code":"validation_failed","status":422,"ms":12.045}"#)
  }

  @Test(
    "nothing that could be a person's gets in by an identifier",
    arguments: [
      "willie@ksu.edu", "a b", "a\nb", "\"", "", "é", String(repeating: "a", count: 65),
    ])
  func filters(_ text: String) {
    #expect(line(.json, .requestID(text)).hasSuffix(#""request_id":"invalid"}"#))
    #expect(line(.json, .tenant(text)).hasSuffix(#""tenant":"invalid"}"#))
  }

  @Test("a person sees the time, the level and the fields")
  func pretty() {
    #expect(line(.pretty(colour: false), .tenant("dd-ride")) == "01:26:38.007 info    request tenant=dd-ride")
  }

  @Test("events below the level are not written")
  func level() {
    let lines = Lines()
    let log = Log(level: .warning, form: .json, clock: { 0 }, write: lines.add)
    log.write(.info, "quiet")
    log.write(.error, "loud")
    #expect(lines.all.count == 1 && lines.all[0].contains("loud") && lines.all[0].hasSuffix("\n"))
  }

  @Test("the level may change while the server runs, in every copy of the log")
  func levelChanges() {
    let lines = Lines()
    let log = Log(level: .warning, form: .json, clock: { 0 }, write: lines.add)
    let copy = log
    log.level = .info
    copy.write(.info, "heard")
    #expect(lines.all.count == 1)
  }

  @Test(
    "for the journal a line begins with its priority",
    arguments: zip(LogLevel.allCases, ["<7>{", "<6>{", "<4>{", "<3>{"]))
  func priority(_ level: LogLevel, _ mark: String) {
    let lines = Lines()
    Log(level: .debug, form: .json, marksPriority: true, clock: { 0 }, write: lines.add).write(level, "event")
    #expect(lines.all[0].hasPrefix(mark))
  }

  @Test("the journal is known by the stream that it names, and by no other")
  func journal() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    func reads(_ stream: String?) -> Bool {
      Journal.reads(descriptor, Surroundings(environment: stream.map { ["JOURNAL_STREAM": $0] } ?? [:], userID: 0))
    }
    #expect(reads("\(status.st_dev):\(status.st_ino)"))
    #expect(!reads("\(status.st_dev):\(status.st_ino + 1)") && !reads("") && !reads(nil))
  }

  @Test("the writer hands over every line in order, and ends when it is closed")
  func writer() throws {
    let pipe = Pipe()
    let writer = LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    for number in 0..<200 { writer.write("line \(number)\n") }
    writer.close()
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == (0..<200).map { "line \($0)\n" }.joined())
    #expect(writer.dropped == 0)
  }

  @Test("a reader that stands still loses lines and is told how many, but delays no request")
  func stalled() throws {
    let pipe = Pipe()
    let writer = LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let line = String(repeating: "x", count: 1023) + "\n"
    // The pipe takes 64 KiB and the writer 1 MiB (and at most 1 MiB more that it is writing); the rest has no place.
    for _ in 0..<4096 { writer.write(line) }
    #expect(writer.dropped >= 4096 - 64 - 2048 - 1)
    #expect(writer.dropped < 4096)
    let reader = pipe.fileHandleForReading
    Thread.detachNewThread { _ = reader.readDataToEndOfFile() }
    writer.close()
    try pipe.fileHandleForWriting.close()
  }

  final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []
    @Sendable func add(_ line: String) { lock.withLock { kept.append(line) } }
    var all: [String] { lock.withLock { kept } }
  }
}
