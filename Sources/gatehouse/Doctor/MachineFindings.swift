import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import Glibc

/// The doctor's findings without a database: the configuration, files and limits of this machine.
enum MachineFindings {
  static func all(_ config: Config) -> [Finding] {
    addresses(config) + certificate(config) + [dataDirectory(config), key(config), lists(config), phones(config)]
      + places(config) + [descriptors(config)]
  }

  private static func addresses(_ config: Config) -> [Finding] {
    var findings: [Finding] = []
    switch config.publicURL {
    case let url? where url.hasPrefix("https://"): findings.append(.good("public_url", url))
    case let url?: findings.append(.warning("public_url", "\(url) is not encrypted", "use https outside development"))
    case nil where config.dev: findings.append(.good("public_url", "development: \(config.reachedAt)"))
    case nil:
      findings.append(.failure("public_url", "is missing: links and issuers are built from it", "set public_url"))
    }
    if !config.operationsListen.isLoopback {
      findings.append(
        .warning(
          "ops_listen", "health and metrics are reachable at \(config.operationsListen)",
          "keep it on a private address or behind a firewall"))
    }
    return findings
  }

  private static func certificate(_ config: Config) -> [Finding] {
    guard let files = config.tls else { return [] }
    var findings: [Finding] = []
    do throws(Failure) {
      let credentials = try Certificate.read(files)
      findings.append(lifetime(of: credentials, files))
      if let host = config.publicURL.flatMap(hostName), !credentials.covers(host) {
        findings.append(
          .failure("tls.certificate", "is not for \(host), where people are sent to", "look at public_url"))
      }
    } catch {
      findings.append(.failure("tls.certificate", error.messages.joined(separator: " "), "openssl x509 -in FILE -text"))
    }
    if let (words, remedy) = OwnerOnlyFile.problem(files.key) { findings.append(.failure("tls.key", words, remedy)) }
    return findings
  }

  /// The host of a URL, without its port and without the brackets of IPv6.
  private static func hostName(_ url: String) -> String? {
    guard let host = URLShape(url, schemes: ["https"], hostless: false)?.host else { return nil }
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    return String(host.prefix { $0 != ":" })
  }

  private static func lifetime(of credentials: TLSCredentials, _ files: Config.TLS) -> Finding {
    let left = Certificate.secondsLeft(credentials)
    let days = left / 86_400
    if left < 0 { return .failure("tls.certificate", "\(Quoted(files.certificate)) has expired", "renew it") }
    return days < Certificate.warningDays
      ? .warning("tls.certificate", "\(Quoted(files.certificate)) expires in \(days) days", "renew it")
      : .good("tls.certificate", "\(files.certificate), \(days) days left")
  }

  private static func dataDirectory(_ config: Config) -> Finding {
    let path = config.dataDirectory
    var status = stat()
    guard stat(path, &status) == 0 else {
      return .warning("data_dir", "\(Quoted(path)) does not exist yet", "gatehouse serve makes it")
    }
    if config.database.url == nil, status.st_mode & 0o002 != 0 {
      return .failure("data_dir", "\(Quoted(path)) can be written by every user of this machine", "chmod o-w \(path)")
    }
    var space = statvfs()
    guard statvfs(path, &space) == 0 else {
      return .failure("data_dir", "\(Quoted(path)): \(String(cString: strerror(errno)))", nil)
    }
    let megabytes = space.f_bavail / 1_048_576 * space.f_frsize
    return megabytes < 1024
      ? .warning("data_dir", "only \(megabytes) MB are free below \(Quoted(path))", "make room before writes fail")
      : .good("data_dir", "\(path), \(megabytes / 1024) GB free")
  }

  private static func key(_ config: Config) -> Finding {
    if config.key.command != nil { return .good("kek", "from kek.command") }
    let path = config.key.file ?? config.dataDirectory + "/kek"
    var status = stat()
    guard stat(path, &status) == 0 else {
      return config.key.file == nil
        ? .warning(
          "kek", "\(Quoted(path)) is not there yet", "the first start makes it; back it up apart from the database")
        : .failure("kek", "\(Quoted(path)): \(String(cString: strerror(errno)))", "openssl rand -base64 32 > \(path)")
    }
    var folder = stat()
    if stat(config.dataDirectory, &folder) == 0, config.key.file == nil, folder.st_uid != status.st_uid {
      return .failure(
        "kek", "\(Quoted(path)) is not its data directory's owner's: the server cannot read it",
        "chown --reference=\(config.dataDirectory) \(path)")
    }
    return OwnerOnlyFile.problem(path).map { .failure("kek", $0.words, $0.remedy) } ?? .good("kek", path)
  }

  private static func lists(_ config: Config) -> Finding {
    do throws(Failure) {
      let (_, missing) = try RuleLists.load(config)
      guard let name = missing.first else { return .good("lists", RuleLists.names.joined(separator: ", ")) }
      return .warning(
        "lists", RuleLists.isMissing(name),
        "set lists, or copy \(RuleLists.file(name)) to \(config.installation.lists.last ?? "")")
    } catch {
      return .failure("lists", error)
    }
  }

  /// The version and date of the library's ranges, and the operator's.
  private static func phones(_ config: Config) -> Finding {
    let library = PhoneLibrary.description
    do throws(Failure) {
      guard let added = try RuleLists.phoneRanges(config) else { return .good("telephone numbers", library) }
      let file = RuleLists.file(LibraryFacts.phoneRangesName)
      return .good("telephone numbers", "\(library), \(Words.count(added.count, "range")) of \(file)")
    } catch {
      return .failure("telephone numbers", error)
    }
  }

  private static func places(_ config: Config) -> [Finding] {
    guard let path = config.places else { return [] }
    do throws(Failure) {
      let database = try GeoIPFile.read(path)
      let what =
        "\(database.type), made on \(Timestamp.text(seconds: Int(database.builtAt.timeIntervalSince1970)).prefix(10))"
      return [
        GeoIPFile.age(of: database) > GeoIPFile.oldDays
          ? .warning(
            "places", "\(Quoted(path)): \(what), more than a year ago", "get a new one; a running server takes it")
          : .good("places", "\(path): \(what)")
      ]
    } catch {
      return [.failure("places", error.messages.joined(separator: " "), "name a City or Country database, or none")]
    }
  }

  private static func descriptors(_ config: Config) -> Finding {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Connections, and what the process needs besides.
    let wanted = config.limits.connections + config.database.connections + 64
    return limit.rlim_max < UInt(wanted)
      ? .warning(
        "open files", "\(limit.rlim_max) allowed, \(wanted) wanted for limits.connections",
        "raise LimitNOFILE (ulimit -Hn), or lower limits.connections")
      : .good("open files", "\(limit.rlim_max) allowed, \(wanted) wanted")
  }
}
