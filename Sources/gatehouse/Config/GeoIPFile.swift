import Foundation
import GatehouseAssembly
import GatehousePrimitives

/// The operator's file of places: read at the start, and again whenever it changes.
struct GeoIPFile: Sendable {
  /// The places, by the version that is in force.
  let places: GeoIP
  private let path: String
  /// The version that was read last, and the one that was there at the last look.
  private let versions: LockBox<(read: Stamp, seen: Stamp)>

  /// How often the file is looked at. A change takes effect when it has been there for one such time.
  private static let period: Duration = .seconds(1)
  /// Networks move: what an older file says of one is no better than a guess.
  static let oldDays = 365

  /// Nil where there is none.
  /// - Throws: exit 2 for one that is named and not there, or of no use.
  static func load(_ path: String?) throws(Failure) -> GeoIPFile? {
    guard let path else { return nil }
    // Taken before, so that a change while it is read is seen.
    let stamp = Stamp(path)
    return GeoIPFile(places: GeoIP(try read(path)), path: path, versions: LockBox((stamp, stamp)))
  }

  static func read(_ path: String) throws(Failure) -> GeoIPDatabase {
    do throws(GeoIPDatabase.Trouble) {
      return try GeoIPDatabase(path: path)
    } catch {
      throw Failure(.usage, "places: \(Quoted(path)) \(error)", hint: "gatehouse doctor")
    }
  }

  /// Days since a database was made.
  static func age(of database: GeoIPDatabase) -> Int { Int(Date().timeIntervalSince(database.builtAt) / 86_400) }

  /// Keeps to the newest version. One that is of no use leaves the old one in force.
  func job(_ log: Log) -> Job {
    Job(.followPlaces, every: Self.period, startsWithPause: true) {
      await look(log)
      return false
    }
  }

  private func look(_ log: Log) async {
    let now = Stamp(path)
    let isChanged = versions.withLock { versions in
      defer { versions.seen = now }
      guard now != versions.read, now == versions.seen else { return false }
      versions.read = now
      return true
    }
    guard isChanged else { return }
    switch await Self.reading(path) {
    case .success(let database):
      places.replace(with: database)
      log.write(.info, "places.renewed", .count("days_old", Self.age(of: database)))
    case .failure(let trouble):
      log.write(.error, "places.not_renewed", .note("the previous place file stays in use: the new file \(trouble)"))
    }
  }

  /// Reads on a thread of its own: copying some hundred megabytes is nothing for a loop.
  private static func reading(_ path: String) async -> Result<GeoIPDatabase, GeoIPDatabase.Trouble> {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(GeoIPDatabase.Trouble) in try GeoIPDatabase(path: path) })
      }
    }
  }

  /// The identity of one version of a file; empty for a file that is not there.
  private struct Stamp: Equatable {
    private var facts: [Int] = []

    init(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      facts = [
        Int(bitPattern: status.st_dev), Int(bitPattern: status.st_ino), status.st_size, status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec,
      ]
    }
  }
}
