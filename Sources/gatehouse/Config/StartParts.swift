import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePrimitives

/// The parts of a start that come from its configuration, before the database is opened. `config check` loads the same,
/// so that it finds everything that `serve` would refuse.
struct StartParts {
  let choices: OperatorChoices
  /// Lists that rules may ask and that are not there.
  let missingLists: [String]
  /// A command opens no session: it has none.
  let places: GeoIP?
  /// A command sends no mail of the outbox: it has none.
  let mail: MailOutlet?
  /// The files that are followed, as they were before they were read; empty for a command.
  let followed: [String: FollowedFiles]
  /// Nil where the first start makes it.
  let key: KeyFile.Keys?
  let otherKey: KeyFile.Keys?

  /// Reads all of them. It makes no file, opens no port and asks no server; `kek.command` is run.
  /// - Throws: everything that is wrong at once; with the exit code and hint of the first.
  static func load(_ config: Config, for purpose: DatabaseLocation.Purpose) throws(Failure) -> StartParts {
    let (parts, failures) = read(config, for: purpose)
    if let first = failures.first {
      throw Failure(
        first.exit, failures.flatMap(\.messages), hint: failures.count == 1 ? first.hint : "gatehouse config check")
    }
    return parts
  }

  /// As above, with what is wrong beside what could be read.
  /// - Parameter unread: keys of settings whose value is reported as wrong already.
  static func read(_ config: Config, for purpose: DatabaseLocation.Purpose, unread: Set<String> = []) -> (
    StartParts, [Failure]
  ) {
    let followed = purpose == .server ? ReloadPart.files(config) : [:]
    var gathering = Gathering()
    var mail: MailOutlet?
    if purpose == .server {
      mail = gathering.demandServer(config, unread)
    }
    let lists = gathering.value { () throws(Failure) in try RuleLists.load(config) }
    var choices = OperatorChoices.Values(facts: lists?.facts ?? LibraryFacts(lists: [:]), senders: config.mail.senders)
    choices.configuredFloor = gathering.value { () throws(Failure) in try FloorFile.load(config) } ?? nil
    (choices.lockoutShare, choices.auditRetention) = (config.lockoutShare, config.auditRetention)
    let places =
      purpose == .server ? gathering.value { () throws(Failure) in try GeoIPFile.load(config.places) } ?? nil : nil
    choices.attestRoots = gathering.value { () throws(Failure) in try AttestRootFile.load(config.attestRoot) } ?? nil
    let parts = StartParts(
      choices: OperatorChoices(choices), missingLists: lists?.missing ?? [], places: places, mail: mail,
      followed: followed,
      key: gathering.value { () throws(Failure) in try KeyFile.existing(config) } ?? nil,
      otherKey: gathering.value { () throws(Failure) in try KeyFile.loadOther(config) } ?? nil)
    return (parts, gathering.failures)
  }
}

/// Failures of several parts, in the order in which they are asked for.
private struct Gathering {
  private(set) var failures: [Failure] = []

  mutating func value<Value>(_ part: () throws(Failure) -> Value) -> Value? {
    do throws(Failure) {
      return try part()
    } catch {
      failures.append(error)
      return nil
    }
  }

  /// The parts that only a server needs, not a command; those of mail come back. `RunningServer` reads the certificate
  /// again.
  mutating func demandServer(_ config: Config, _ unread: Set<String>) -> MailOutlet? {
    failures += config.missingInProduction(unread: unread)
    _ = value { () throws(Failure) in try DatabaseLocation.demand(config) }
    _ = value { () throws(Failure) in
      if let files = config.tls { _ = try Certificate.load(files) }
    }
    let renderer = value { () throws(Failure) in try MailParts.templates(config) }
    let transport = value { () throws(Failure) in try MailParts.transport(config) }
    _ = value { () throws(Failure) in
      if let path = config.outbound.caFile { try Authorities.demand(path, for: Settings.outboundAuthorities.key) }
    }
    _ = value { () throws(Failure) in try WatchedDirectory.demand(config.watch) }
    guard let renderer, let transport else { return nil }
    return MailOutlet(renderer: renderer, transport: transport)
  }
}

extension Config {
  /// Settings that are missing to serve people.
  /// - Parameter unread: keys of settings whose value is reported as wrong already.
  func missingInProduction(unread: Set<String> = []) -> [Failure] {
    guard !dev, !unread.contains(Settings.dev.key) else { return [] }
    let demands: [(any AnySetting, String?, String)] = [
      (Settings.publicURL, publicURL, "links and token issuers are built from it"),
      (Settings.smtpURL, mail.smtpURL, "it is needed to verify addresses and reset passwords"),
      (Settings.mailFrom, mail.from, "receivers refuse mail of no-reply@localhost"),
    ]
    return demands.filter { $0.1 == nil && !unread.contains($0.0.key) }.map { setting, _, why in
      Failure(
        .usage, "\(setting.key) is missing: \(why); only --dev works without", hint: "set it, or start with --dev")
    }
  }
}

/// The directory that policy files are watched in.
private enum WatchedDirectory {
  static func demand(_ path: String?) throws(Failure) {
    guard let path, case .failure(let problem) = WatchedFile.names(in: path) else { return }
    throw Failure(.usage, "watch: \(Quoted(path)) cannot be listed: \(problem.reason)")
  }
}

/// A file of authorities in PEM.
enum Authorities {
  private static let limit = 16 << 20

  /// Refuses one that cannot be read, or holds no certificate; `name` is the setting.
  static func demand(_ path: String, for name: String) throws(Failure) {
    switch FileText.read(path, limit: limit) {
    case .failure(let problem): throw Failure(.usage, "\(name): \(problem.description)")
    case .success(let bytes):
      guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
        throw Failure(.usage, "\(name): \(Quoted(path)) holds no certificate in PEM")
      }
    }
  }
}
