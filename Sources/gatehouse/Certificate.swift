import Glibc
import GatehouseAssembly
import GatehouseRuntime

/// The certificate of the running server: read at the start, again whenever its files change, and at SIGHUP.
struct Certificate: Sendable {
  let credentials: TLSCredentials
  private let log: Log
  private let hangUps: Int32

  /// How often the files are looked at. A change takes effect when it has been there for one such time.
  private static let period: Duration = .seconds(1)
  /// Automatic renewal happens earlier than this; a certificate so near its end needs the operator's attention.
  static let warningDays = 21

  init(_ files: Config.TLS, _ log: Log) throws(Failure) {
    credentials = try Self.load(files)
    self.log = log
    // Only here: elsewhere SIGHUP ends the server with the terminal it was started in.
    hangUps = Signals.takeHangUps()
    warn()
  }

  /// A pair that a server may start with: its key is kept from others.
  static func load(_ files: Config.TLS) throws(Failure) -> TLSCredentials {
    try OwnerOnlyFile.demand(files.key, for: "tls.key")
    return try read(files)
  }

  static func read(_ files: Config.TLS) throws(Failure) -> TLSCredentials {
    do throws(TLSError) {
      return try TLSCredentials(certificate: files.certificate, key: files.key)
    } catch {
      throw Failure(.unavailable, "\(Quoted(error.path)) \(error.reason)", hint: "gatehouse doctor")
    }
  }

  /// Seconds until a certificate ends; negative afterwards.
  static func secondsLeft(_ credentials: TLSCredentials) -> Int { credentials.expiry - time(nil) }

  /// Keeps to the newest pair.
  var job: Job {
    Job(.followCertificate, every: Self.period) {
      renew()
      return false
    }
  }

  private func renew() {
    do throws(TLSError) {
      if hasHungUp() {
        try credentials.reload()
      } else if try !credentials.followFiles() {
        return
      }
      log.write(.info, "tls.renewed", .count("days_left", Self.secondsLeft(credentials) / 86_400))
      warn()
    } catch {
      log.write(.error, "tls.not_renewed", .note("the previous certificate stays in use: \(error)"))
    }
  }

  private func warn() {
    let days = Self.secondsLeft(credentials) / 86_400
    if days < Self.warningDays { log.write(.warning, "tls.expires", .count("days_left", days)) }
  }

  private func hasHungUp() -> Bool {
    var byte: UInt8 = 0
    var heard = false
    while Glibc.read(hangUps, &byte, 1) == 1 { heard = true }
    return heard
  }
}
