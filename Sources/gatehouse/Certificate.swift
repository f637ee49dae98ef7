import Glibc
import GatehouseRuntime

/// The certificate of the running server.
struct Certificate: Sendable {
  let credentials: TLSCredentials
  private let log: Log

  /// Automatic renewal happens earlier than this; a certificate so near its end needs the operator's attention.
  static let warningDays = 21

  init(_ files: Config.TLS, _ log: Log) throws(Failure) {
    credentials = try Self.load(files)
    self.log = log
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
      throw Failure(error)
    }
  }

  /// Seconds until a certificate ends; negative afterwards.
  static func secondsLeft(_ credentials: TLSCredentials) -> Int { credentials.expiry - time(nil) }

  /// Work of each second.
  func tick() { credentials.expireTickets() }

  /// Reads another pair, which the closure puts in force.
  func renewal(_ files: Config.TLS) throws(Failure) -> @Sendable () -> Void {
    try OwnerOnlyFile.demand(files.key, for: "tls.key")
    let pair: TLSCredentials.Pair
    do throws(TLSError) {
      pair = try credentials.read(certificate: files.certificate, key: files.key)
    } catch {
      throw Failure(error)
    }
    return {
      credentials.use(pair)
      warn()
    }
  }

  private func warn() {
    let days = Self.secondsLeft(credentials) / 86_400
    if days < Self.warningDays { log.write(.warning, "tls.expires", .count("days_left", days)) }
  }
}

extension Failure {
  fileprivate init(_ error: TLSError) {
    self.init(.unavailable, "\(Quoted(error.path)) \(error.reason)", hint: "gatehouse doctor")
  }
}
