import Foundation
import GatehouseAssembly
import GatehousePrimitives

/// Reads the configuration of a running server again: all of it at SIGHUP, and a part when one of its files changed.
///
/// A configuration with a problem changes nothing. A part that cannot be read leaves the one before in force, and the
/// others are taken.
final class Reload: Sendable {
  /// The configuration in force.
  struct InForce: Sendable {
    var config: Config
    /// Each setting as it is in force: of what only a start takes, as it was at the start.
    var settings: [ConfigReader.Shown]
    /// Each setting as it was read last, in force or not.
    var read: [ConfigReader.Shown]
    /// The files that were read, by the first setting of their part.
    var files: [String: FollowedFiles]
    /// Settings that have another value by now, which another start takes.
    var needsRestart: [String] = []
    /// Why something could not be read again, by setting; `config` for the configuration itself.
    var refused: [String: String] = [:]
  }

  /// The name under which a problem of the configuration itself stands.
  static let wholeConfiguration = "config"
  /// A change of a file takes effect when it has been there for one such time.
  private static let period: Duration = .seconds(1)

  private let parts: [ReloadPart]
  private let log: Log
  private let service: ServiceManager
  /// Reads configuration and settings.
  private let source: @Sendable () throws(Failure) -> (Config, ConfigReader)
  /// Whether SIGHUP came since the last call.
  private let hungUp: @Sendable () -> Bool
  /// Work of each second beside.
  private let tick: @Sendable () -> Void
  private let state: LockBox<InForce>

  /// - Parameters:
  ///   - reader: the settings that the server started with.
  ///   - files: the files of parts, as they were before they were read.
  init(
    _ config: Config, _ reader: ConfigReader, parts: [ReloadPart], files: [String: FollowedFiles], _ log: Log,
    _ service: ServiceManager, hungUp: @escaping @Sendable () -> Bool,
    tick: @escaping @Sendable () -> Void, from source: @escaping @Sendable () throws(Failure) -> (Config, ConfigReader)
  ) {
    self.parts = parts
    self.log = log
    self.service = service
    self.hungUp = hungUp
    self.tick = tick
    self.source = source
    state = LockBox(InForce(config: config, settings: reader.shown, read: reader.shown, files: files))
  }

  var inForce: InForce { state.withLock { $0 } }

  /// Reads again what has to be.
  var job: Job {
    Job(.reload, every: Self.period) { [self] in
      tick()
      if hungUp() {
        await readAll()
      } else {
        await follow()
      }
      return false
    }
  }

  private func follow() async {
    for part in parts where part.isFollowed {
      let config = state.withLock { state in state.files[part.name]?.areDue() == true ? state.config : nil }
      guard let config else { continue }
      if await take(part, config) { log.write(.info, "config.reloaded", .settings(part.keys)) }
    }
  }

  private func readAll() async {
    service.tell(.reloading)
    defer { service.tell(.ready) }
    let (config, reader): (Config, ConfigReader)
    do throws(Failure) {
      (config, reader) = try await Self.onThread(source)
      let problems =
        reader.problems.isEmpty ? config.missingInProduction().flatMap(\.messages) : reader.problems
      guard problems.isEmpty else { throw Failure(.usage, problems) }
    } catch {
      refuse([Self.wholeConfiguration], error)
      return
    }
    let before = inForce
    state.withLock { state in
      state.refused[Self.wholeConfiguration] = nil
      (state.config, state.read) = (config, reader.shown)
    }
    var changed: [String] = []
    var needsRestart = Self.changes(before.settings, reader.shown).filter { Self.taken($0) == .atStart }
    for part in parts {
      let files = part.files(config)
      let isChanged =
        !Set(Self.changes(before.settings, reader.shown)).isDisjoint(with: part.keys)
        || before.files[part.name]?.state.map(\.stamp) != files.state.map(\.stamp) && !files.state.isEmpty
      state.withLock { $0.files[part.keys[0]] = files }
      guard await take(part, config, needsRestart: &needsRestart) else { continue }
      if isChanged { changed += part.keys }
    }
    state.withLock { [needsRestart] in $0.needsRestart = needsRestart }
    if !needsRestart.isEmpty { log.write(.warning, "config.needs_restart", .settings(needsRestart)) }
    log.write(.info, "config.reloaded", .settings(changed))
  }

  /// Reads a part and puts it in force. False where that failed, or only a start can.
  private func take(_ part: ReloadPart, _ config: Config, needsRestart: inout [String]) async -> Bool {
    do throws(Failure) {
      guard let apply = try await Self.onThread({ () throws(Failure) in try part.read(config) }) else {
        needsRestart += part.keys
        return false
      }
      apply()
      putInForce(part.keys)
      return true
    } catch {
      refuse(part.keys, error)
      return false
    }
  }

  private func take(_ part: ReloadPart, _ config: Config) async -> Bool {
    var ignored: [String] = []
    return await take(part, config, needsRestart: &ignored)
  }

  private func refuse(_ keys: [String], _ failure: Failure) {
    let why = failure.messages.joined(separator: "; ")
    state.withLock { state in for key in keys { state.refused[key] = why } }
    log.write(.error, "config.not_reloaded", .settings(keys), .note("the previous one stays in force: \(why)"))
  }

  /// Notes that these settings are in force as they were read last.
  private func putInForce(_ keys: [String]) {
    state.withLock { state in
      for key in keys {
        state.refused[key] = nil
        guard let index = state.settings.firstIndex(where: { $0.key == key }),
          let read = state.read.first(where: { $0.key == key })
        else { continue }
        state.settings[index] = read
      }
    }
  }

  /// Keys whose values differ.
  private static func changes(_ one: [ConfigReader.Shown], _ other: [ConfigReader.Shown]) -> [String] {
    let values = Dictionary(one.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return other.filter { values[$0.key] != $0.value }.map(\.key)
  }

  private static func taken(_ key: String) -> SettingTaken? { Settings.all.first { $0.key == key }?.taken }

  /// Reads on a thread of its own: files of some hundred megabytes are nothing for a loop.
  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { () throws(Failure) in try body() }) }
    }
    return try result.get()
  }
}
