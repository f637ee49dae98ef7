import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePrimitives

/// The parts of a start that come from its configuration, before the database is opened. `config check` loads the same,
/// so that it finds everything that `serve` would refuse.
struct StartParts {
  let facts: LibraryFacts
  /// Lists that rules may ask and that are not there.
  let missingLists: [String]
  let floor: Floor?
  /// A command opens no session: it has none.
  let places: GeoIPFile?
  /// The roots that attested apps are believed by; nil where none are configured.
  let attestRoots: CertificateRoots?
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
    var gathering = Gathering()
    if purpose == .server {
      gathering.demandServer(config, unread)
    }
    let lists = gathering.value { () throws(Failure) in try RuleLists.load(config) }
    let parts = StartParts(
      facts: lists?.facts ?? LibraryFacts(lists: [:]), missingLists: lists?.missing ?? [],
      floor: gathering.value { () throws(Failure) in try FloorFile.load(config) } ?? nil,
      places: purpose == .server
        ? gathering.value { () throws(Failure) in try GeoIPFile.load(config.places) } ?? nil : nil,
      attestRoots: gathering.value { () throws(Failure) in try AttestRootFile.load(config.attestRoot) } ?? nil,
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

  /// The parts that only a server needs, not a command. `RunningServer` reads certificate, templates and mail server
  /// again.
  mutating func demandServer(_ config: Config, _ unread: Set<String>) {
    if !config.dev, !unread.contains(Settings.dev.key) { demandProduction(config, unread) }
    _ = value { () throws(Failure) in try DatabaseLocation.demand(config) }
    _ = value { () throws(Failure) in
      if let files = config.tls { _ = try Certificate.load(files) }
    }
    _ = value { () throws(Failure) in try MailParts.templates(config) }
    _ = value { () throws(Failure) in try MailParts.transport(config) }
    _ = value { () throws(Failure) in
      if let path = config.outbound.caFile { try Authorities.demand(path, for: Settings.outboundAuthorities.key) }
    }
    _ = value { () throws(Failure) in try WatchedDirectory.demand(config.watch) }
  }

  private mutating func demandProduction(_ config: Config, _ unread: Set<String>) {
    if config.publicURL == nil, !unread.contains(Settings.publicURL.key) {
      failures.append(
        Failure(
          .usage, "public_url is missing: links and token issuers are built from it; only --dev works without",
          hint: "set it, or start with --dev"))
    }
    if config.mail.smtpURL == nil, !unread.contains(Settings.smtpURL.key) {
      failures.append(
        Failure(
          .usage, "smtp_url is missing: it is needed to verify addresses and reset passwords; only --dev works without",
          hint: "set it, or start with --dev"))
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
