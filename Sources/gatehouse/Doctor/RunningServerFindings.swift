import GatehouseOutbound
import GatehousePrimitives
import GatehouseRuntime

/// The doctor's findings about the server that runs beside it: whether the files of now are in force in it.
struct RunningServerFindings {
  private static let subject = "running server"

  private let config: Config
  private let settings: [ConfigReader.Shown]
  private let network: DoctorNetwork

  init(_ config: Config, _ reader: ConfigReader, _ network: DoctorNetwork) {
    self.config = config
    settings = reader.shown
    self.network = network
  }

  func all() async -> [Finding] {
    guard let words = ServedAt.read(config) else {
      return [.good(Self.subject, "none runs on this machine with this data directory")]
    }
    let url = "http://\(words.operations)/config"
    guard let first = await network.json(url) else {
      return [
        .failure(Self.subject, "\(words.operations) does not answer", "look at its log, and at ops_listen")
      ]
    }
    let key: KeyFile.Keys?
    do throws(Failure) { key = try KeyFile.existing(config) } catch { return [.failure(Self.subject, error)] }
    guard let digest = (key?.pepper).map(ConfigurationDigest.init) else {
      return [.warning(Self.subject, "there is no key to compare its configuration with", "look at kek.file")]
    }
    var findings = compare(first, digest)
    if findings.contains(where: \.isChanged) {
      // A file that changed a moment ago is being read.
      await network.wait(.seconds(3))
      if let second = await network.json(url) { findings = compare(second, digest) }
    }
    let found = refused(first) + findings.map(\.finding)
    return (found.isEmpty ? [.good(Self.subject, "has in force what these files say")] : found)
      + (await standing(words.operations))
  }

  /// The server's own word on its state: of the conditions of readiness, and of the database.
  private func standing(_ operations: Address) async -> [Finding] {
    guard let state = await network.json("http://\(operations)/readyz") else { return [] }
    let troubles = (state["troubles"]?.object?.members ?? []).map { member in
      Finding.failure(Self.subject, "not ready: \(Visible.line(member.value.string ?? member.key))", "look at its log")
    }
    let warnings = (state["warnings"]?.object?.members ?? []).map { member in
      Finding.failure(Self.subject, Visible.line(member.value.string ?? member.key), "docs/operations.md, Readiness")
    }
    let found = troubles + warnings
    guard let database = state["database"]?.string, database != "answers" else { return found }
    return found + [.failure(Self.subject, "its database \(Visible.line(database))", "look at the database's log")]
  }

  /// A finding, and whether it is about a file that may be read any moment.
  private struct Difference {
    let finding: Finding
    let isChanged: Bool
  }

  private func compare(_ answer: JSONValue, _ digest: ConfigurationDigest) -> [Difference] {
    settings.flatMap { setting -> [Difference] in
      guard let theirs = answer["settings"]?[setting.key], Self.isComparable(setting, theirs["from"]?.string) else {
        return []
      }
      let taken = Settings.all.first { $0.key == setting.key }?.taken ?? .atStart
      if theirs["digest"]?.string != digest.value(setting) {
        let advice = taken == .atStart ? "restart it" : "systemctl reload gatehouse, or SIGHUP"
        return [
          Difference(finding: warning("it has another \(setting.key) than these files say", advice), isChanged: false)
        ]
      }
      let files = theirs["files"]?.object?.members ?? []
      return files.filter { $0.value.string != digest.file($0.key, FileStamp($0.key)) }.map { file in
        let words = "it has not read \(Quoted(file.key)) as the file is now (\(setting.key))"
        return Difference(finding: warning(words, "look for config.not_reloaded in its log"), isChanged: true)
      }
    }
  }

  private func warning(_ words: String, _ advice: String) -> Finding { .warning(Self.subject, words, advice) }

  /// A flag or a variable of the server's is not known here.
  private static func isComparable(_ setting: ConfigReader.Shown, _ from: String?) -> Bool {
    ["default", "file"].contains(from) || from == setting.origin.kind
  }

  private func refused(_ answer: JSONValue) -> [Finding] {
    (answer["config_not_reloaded"]?.object?.members ?? []).map { member in
      let why = Visible.line(member.value.string ?? "")
      return .failure(Self.subject, "it could not read \(member.key) again: \(why)", "mend it, then reload")
    }
  }
}
