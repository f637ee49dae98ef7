import Foundation
import GatehousePrimitives
import Testing

@testable import gatehouse

@Suite("Configuration")
struct ConfigTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  func read(_ yaml: String = "", _ environment: [String: String] = [:]) -> (Config, ConfigReader) {
    let surroundings = Surroundings(environment: environment, userID: 1000)
    var reader = ConfigReader(
      [.yaml(Array(yaml.utf8), path: "g.yaml"), .variables(surroundings)], surroundings)
    let config = Config(&reader)
    return (config, reader)
  }

  @Test("config/gatehouse.yaml is what `config example` prints")
  func file() throws {
    let text = try String(contentsOf: Self.root.appending(path: "config/gatehouse.yaml"), encoding: .utf8)
    #expect(text == ConfigText.whole)
  }

  @Test("the file as it stands changes nothing")
  func harmless() {
    let (_, reader) = read(ConfigText.whole)
    #expect(reader.problems.isEmpty)
    #expect(reader.shown.allSatisfy { $0.origin == .fallback })
  }

  @Test("each line of the file, with its hash removed, is taken, and defaults are the defaults")
  func uncommented() {
    let lines = ConfigText.whole.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.wholeMatch(of: /#(?:  )?[a-z_]+:.*/) != nil, !line.contains("_file: /run") else {
        return Substring("")
      }
      return line.dropFirst()
    }
    let text = lines.joined(separator: "\n").replacingOccurrences(of: "watch_allow_weaker: false", with: "")
    let (_, reader) = read(text)
    // Two pairs of lines exclude each other, and only that may be said.
    #expect(reader.problems.count == 2, "\(reader.problems)")
    for (problem, key) in zip(reader.problems, ["kek.command", "kek.other_command"]) { #expect(problem.contains(key)) }
    let (_, defaults) = read()
    for setting in Settings.all where setting.example == nil {
      let given = reader.shown.first { $0.key == setting.key }
      #expect(given?.text == defaults.shown.first { $0.key == setting.key }?.text, "\(setting.key)")
      #expect(given?.origin != .fallback || setting.key == "watch_allow_weaker", "\(setting.key)")
    }
  }

  @Test("every setting is read by the configuration exactly once, in the order of the table")
  func complete() {
    #expect(read().1.shown.map(\.key) == Settings.all.map(\.key))
  }

  @Test("a variable wins over the file, and each origin is named")
  func precedence() {
    let (config, reader) = read("listen: 127.0.0.1:1\nlog:\n  level: debug\n", ["GATEHOUSE_LISTEN": "127.0.0.1:2"])
    #expect(config.listen.port == 2 && config.log.level == .debug)
    #expect(reader.shown.first { $0.key == "listen" }?.origin == .variable("GATEHOUSE_LISTEN"))
    #expect(reader.shown.first { $0.key == "log.level" }?.origin == .file(path: "g.yaml", line: 3, column: 10))
  }

  @Test("an empty variable is an unset one")
  func empty() { #expect(read("", ["GATEHOUSE_LISTEN": ""]).0.listen.port == 8080) }

  @Test("every problem is told at once, with its place")
  func problems() {
    let (_, reader) = read(
      "listn: 127.0.0.1:1\ndatabase:\n  connections: lots\ndev: yes\nlog: loud\n", ["GATEHOUSE_HASH_QUEUE": "-1"])
    #expect(
      reader.problems == [
        #"g.yaml:1:1: "listn" is not a setting; did you mean "listen"?"#,
        "g.yaml:5:6: log must hold settings, not a single value",
        #"g.yaml:3:16: database.connections: "lots" is not a whole number from 4 to 1000"#,
        #"g.yaml:4:6: dev: "yes" is not true or false"#,
        #"GATEHOUSE_HASH_QUEUE: hash.queue: "-1" is not a whole number from 1 to 100000"#,
      ])
  }

  @Test("T012 the cost of a password hash is OWASP's minimum, and what the configuration says")
  func hashCost() {
    #expect(read("").0.hash.cost == .owaspMinimum)
    let (config, reader) = read("hash:\n  memory: 64\n", ["GATEHOUSE_HASH_PASSES": "3"])
    #expect(config.hash.cost == PasswordCost(memory: 65_536, passes: 3) && reader.problems.isEmpty)
  }

  @Test(
    "T012 a cost below OWASP's minimum, or beyond what a stored hash may ask for, is refused with its bounds",
    arguments: [
      ("MEMORY", "hash.memory", "18", " of MiB from 19 to 256"),
      ("MEMORY", "hash.memory", "257", " of MiB from 19 to 256"),
      ("MEMORY", "hash.memory", "19456", " of MiB from 19 to 256"), ("PASSES", "hash.passes", "1", " from 2 to 16"),
      ("PASSES", "hash.passes", "17", " from 2 to 16"),
    ])
  func hashCostBounds(name: String, key: String, value: String, bounds: String) {
    let variable = "GATEHOUSE_HASH_\(name)"
    #expect(
      read("", [variable: value]).1.problems == [
        "\(variable): \(key): \"\(value)\" is not a whole number\(bounds)"
      ])
  }

  @Test("tuning: auto is on below four processors and off from four on; on and off are what they say")
  func tuningByProcessors() {
    let counts = [1, 2, 3, 4, 5, 256]
    let table = TuningSwitch.allCases.map { choice in counts.map { choice.isOn(processors: $0) } }
    #expect(
      table == [
        [true, true, true, false, false, false], counts.map { _ in true }, counts.map { _ in false },
      ])
  }

  @Test("tuning: each setting is read by itself, and auto where nothing is said")
  func tuning() {
    let auto = TuningSwitch.auto.isOn(processors: Config.processors)
    let unsaid = read().0.tuning
    #expect(unsaid.loopPriority == auto && unsaid.hashBatching == auto)
    let (config, reader) = read("tuning:\n  loop_priority: on\n", ["GATEHOUSE_TUNING_HASH_BATCHING": "off"])
    #expect(config.tuning.loopPriority && !config.tuning.hashBatching && reader.problems.isEmpty)
    let other = read("tuning:\n  loop_priority: off\n  hash_batching: on\n").0.tuning
    #expect(!other.loopPriority && other.hashBatching)
  }

  @Test("tuning: another word is refused with those that there are", arguments: ["loop_priority", "hash_batching"])
  func tuningWords(name: String) {
    #expect(
      read("tuning:\n  \(name): yes\n").1.problems == [
        "g.yaml:2:\(name.count + 5): tuning.\(name): \"yes\" is not one of auto, on, off"
      ])
  }

  @Test("a secret is never repeated, right or wrong")
  func secrets() {
    let (_, right) = read("", ["GATEHOUSE_DATABASE_URL": "postgres://u:hunter2@h/d"])
    #expect(right.shown.first { $0.key == "database.url" }?.text == "(set)")
    let (_, wrong) = read("database:\n  url: mysql://u:hunter2@h/d\n", ["GATEHOUSE_SMTP_URL": "hunter2"])
    #expect(wrong.problems.count == 2 && !wrong.problems.joined().contains("hunter2"))
    #expect(!wrong.shown.contains { $0.text?.contains("hunter2") ?? false })
  }

  @Test("a secret may stand in a file of its own, and not in two places")
  func secretFiles() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "url").path
    try "postgres://u:p@h/d\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    let (config, reader) = read("", ["GATEHOUSE_DATABASE_URL_FILE": path])
    #expect(config.database.url == "postgres://u:p@h/d" && reader.problems.isEmpty)
    #expect(read("database:\n  url_file: \(path)\n").0.database.url == "postgres://u:p@h/d")
    #expect(
      read("", ["GATEHOUSE_DATABASE_URL_FILE": path, "GATEHOUSE_DATABASE_URL": "postgres://h/d"]).1.problems.count == 1)
    #expect(read("", ["GATEHOUSE_DATABASE_URL_FILE": path + "x"]).1.problems.count == 1)
  }

  @Test(
    "settings that contradict each other are refused",
    arguments: [
      "watch_allow_weaker: true", "dev: true\nwatch_allow_weaker: true", "public_url: http://a.example",
      "kek:\n  file: a\n  command: b", "ops_listen: 127.0.0.1:8080", "share_port: true",
      "proxies:\n  protocol: forwarded",
      "proxies:\n  trusted: 10.0.0.0/8", "proxies:\n  trusted: 10.0.0.0/8\n  protocol: none",
    ])
  func contradictions(_ yaml: String) {
    let problems = read(yaml).1.problems
    #expect(problems.count == 1 && problems[0].contains("g.yaml:"), "\(problems)")
  }

  @Test(
    "proxies are a list of blocks, and never all addresses",
    arguments: [
      ("10.0.0.0/8, 2001:db8::/32,::1", "10.0.0.0/8, 2001:db8::/32, ::1/128"), ("::ffff:192.0.2.1", "192.0.2.1/32"),
      ("0.0.0.0/0", nil), ("::/0", nil), ("10.0.0.1/8", nil), ("10.0.0.0/8, proxy.example.com", nil), (",", nil),
    ])
  func proxies(_ text: String, _ shown: String?) {
    let (config, reader) = read("proxies:\n  trusted: \"\(text)\"\n  protocol: x_forwarded_for\n")
    #expect(config.proxies.trusted?.text == shown)
    #expect(reader.problems.isEmpty == (shown != nil))
  }

  @Test("an unknown variable is named with what was meant")
  func unknownVariables() {
    let surroundings = Surroundings(
      environment: ["GATEHOUSE_LISTN": "x", "PATH": "y", "GATEHOUSE_DEV": "true"], userID: 1)
    #expect(
      ConfigLayer.unknownVariables(surroundings)
        == [#"GATEHOUSE_LISTN is not a setting; did you mean "GATEHOUSE_LISTEN"?"#])
  }

  @Test("the data directory follows the user and the XDG specification")
  func dataDirectory() {
    func directory(_ environment: [String: String], _ user: UInt32) -> String {
      Config.usualDataDirectory(Surroundings(environment: environment, userID: user))
    }
    #expect(directory(["HOME": "/h"], 0) == "/var/lib/gatehouse")
    #expect(directory(["HOME": "/h"], 1000) == "/h/.local/state/gatehouse")
    #expect(directory(["HOME": "/h", "XDG_STATE_HOME": "/s"], 1000) == "/s/gatehouse")
    #expect(directory(["HOME": "/h", "XDG_STATE_HOME": "s"], 1000) == "/h/.local/state/gatehouse")
  }
}
