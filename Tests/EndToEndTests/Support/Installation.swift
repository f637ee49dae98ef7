import Foundation
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What an operator has on a machine: the built program, its data directory, a database, a mail server.
final class Installation: Sendable {
  /// Where people reach it; the mails' links lead there.
  static let publicURL = "https://auth.example.com"

  let directory: String
  let sink: MailSink
  private let database: TestDatabase?
  private let environment: [String: String]

  private init(directory: String, database: TestDatabase?, sink: MailSink) {
    self.directory = directory
    self.database = database
    self.sink = sink
    var given = [
      "GATEHOUSE_DATA_DIR": directory + "/data",
      "GATEHOUSE_LISTEN": "127.0.0.1:0", "GATEHOUSE_OPS_LISTEN": "127.0.0.1:0",
      "GATEHOUSE_PUBLIC_URL": Self.publicURL, "GATEHOUSE_SMTP_URL": sink.url,
      "GATEHOUSE_MAIL_FROM": "no-reply@auth.example.com", "GATEHOUSE_LISTS": TestLists.root + "/config/lists",
      "GATEHOUSE_LOG_FORMAT": "json",
    ]
    given["GATEHOUSE_DATABASE_URL"] = database?.url
    environment = ProgramEnvironment.of(given, home: directory)
  }

  /// Runs a test with an installation of its own; `ownCluster`: on the private PostgreSQL that the program itself runs.
  static func run(ownCluster: Bool = false, _ body: (Installation) async throws -> Void) async throws {
    // The private cluster's user has to reach it.
    let directory = try TestFolder.make("installation", forEverybody: true)
    try FileManager.default.createDirectory(
      atPath: directory + "/policies", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let database = ownCluster ? nil : try await TestDatabase.make()
    // The key is there, as after the first start: commands make none. A private cluster is served first.
    if !ownCluster { try TestKeyFile.make(in: directory + "/data") }
    try await body(Installation(directory: directory, database: database, sink: try await MailSink.start()))
  }

  /// Writes a policy file as an editor does: whole, under its name. Its path.
  @discardableResult
  func write(_ text: String, as app: App) throws -> String {
    let path = "\(directory)/policies/\(app.rawValue).yaml"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// The database as its superuser sees it. The caller stops it.
  func superuser() async throws -> Database {
    let database = try #require(database)
    return try await database.connect(user: Embedded.superuser)
  }

  /// What came out of one command.
  struct Outcome {
    let exit: Int32
    let output: String
    let errors: String
  }

  /// Runs a command as the operator types it, without `gatehouse`.
  @discardableResult
  func gatehouse(_ line: String) throws -> Outcome {
    let process = program(line.split(separator: " ").map(String.init), [:])
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      exit: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
      errors: String(decoding: words, as: UTF8.self))
  }

  /// Starts the server and returns when it listens. The caller ends it.
  func serve(_ settings: [String: String] = [:]) async throws -> ServerProcess {
    try await ServerProcess(program(["serve"], settings))
  }

  /// Makes a tenant of the app's own policy, and waits until this server serves it.
  func create(_ app: App, _ server: ServerProcess) async throws {
    let made = try gatehouse("tenant create \(app.rawValue) --policy \(TestLists.root)/policies/\(app.rawValue).yaml")
    #expect(made.exit == 0, "\(made.errors)")
    let served = try await eventually { try await server.client(app).get("/v1/policy").status == 200 }
    #expect(served)
  }

  private func program(_ words: [String], _ settings: [String: String]) -> Process {
    let process = Process()
    // It stands beside the test bundle.
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "gatehouse")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: directory)
    process.environment = environment.merging(settings) { $1 }
    return process
  }

  /// A link of a mail as it leads to a server of this test.
  func link(_ link: String?, at server: ServerProcess) throws -> String {
    let link = try #require(link)
    #expect(link.hasPrefix(Self.publicURL + "/t/"))
    return link.replacing(Self.publicURL, with: server.url)
  }
}

/// A running server of its own process.
final class ServerProcess: Sendable {
  /// `http://127.0.0.1:PORT`.
  let url: String
  let operationsURL: String
  private let process: Process
  private let clients: LockBox<[App: TestClient]>
  private let lines: LockBox<[String]>
  /// Signalled once its log is read to the end.
  private let ended: DispatchSemaphore

  fileprivate init(_ process: Process) async throws {
    self.process = process
    let lines = LockBox<[String]>([])
    let ended = DispatchSemaphore(value: 0)
    self.lines = lines
    self.ended = ended
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    let (started, said) = AsyncStream.makeStream(of: JSONValue.self)
    let log = pipe.fileHandleForReading
    Thread.detachNewThread {
      var rest = Data()
      while case let data = log.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: 0x0A) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest = Data(rest[rest.index(after: end)...])
          lines.withLock { $0.append(line) }
          if let event = try? JSONParser.parse(Array(line.utf8)), event["event"] == .string("server.started") {
            said.yield(event)
          }
        }
      }
      said.finish()
      ended.signal()
    }
    var address: (String, String)?
    for await event in started {
      address = (event["listen"]?.string ?? "", event["operations"]?.string ?? "")
      break
    }
    guard let address else {
      process.waitUntilExit()
      throw NotStarted(log: lines.withLock { $0 }.joined(separator: "\n"))
    }
    url = "http://" + address.0
    clients = LockBox(
      Dictionary(
        uniqueKeysWithValues: App.allCases.map { ($0, TestClient("http://\(address.0)/t/\($0.rawValue)")) }))
    operationsURL = "http://" + address.1
  }

  struct NotStarted: Error { let log: String }

  func client(_ app: App) -> TestClient { clients.withLock { $0[app] } ?? TestClient(url) }

  var processIdentifier: Int32 { process.processIdentifier }

  /// How many processes of its own PostgreSQL go before ordinary ones.
  var firstDatabaseProcesses: Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    func parent(_ process: Int32) -> Int32? {
      // After the name, which may hold anything but ends with the last parenthesis: the state, then the parent.
      (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.split(separator: ")").last?
        .split(separator: " ").dropFirst().first.flatMap { Int32($0) }
    }
    let children = Set(all.filter { parent($0) == processIdentifier })
    return all.filter { RealTime.goesFirst($0) && parent($0).map(children.contains) == true }.count
  }

  /// The names of its threads that go before ordinary ones.
  var firstThreads: Set<String> {
    let folder = "/proc/\(processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let first = threads.filter { Int32($0).map(RealTime.goesFirst) == true }
    let names = first.compactMap { try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8) }
    return Set(names.map { $0.trimmingCharacters(in: .newlines) })
  }

  /// The lines of its log so far.
  var log: [String] { lines.withLock { $0 } }

  /// kill -9.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// SIGTERM; the exit code, once the log is whole.
  func stop() -> Int32 {
    // It would wait for clients that keep their connections open.
    clients.withLock { $0 = [:] }
    process.terminate()
    process.waitUntilExit()
    ended.wait()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
}
