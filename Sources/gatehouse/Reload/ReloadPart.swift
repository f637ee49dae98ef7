import GatehousePrimitives

/// A part of the running server that is read again.
struct ReloadPart: Sendable {
  /// The settings that it is made from.
  let settings: [any AnySetting]
  /// Reads it. The closure that comes back puts it in force; nil where only another start does.
  let read: @Sendable (Config) throws(Failure) -> Apply?

  /// Puts what was read in force.
  typealias Apply = @Sendable () -> Void

  var keys: [String] { settings.map(\.key) }
  /// The key under which its files stand.
  var name: String { settings[0].key }
  /// Whether it is read when one of its files changes. Elsewhere files are edited together, and SIGHUP says when they
  /// are whole.
  var isFollowed: Bool { settings.contains { $0.taken == .followed } }

  /// The files that a part is read from, also those that are not there, by its name.
  private static let files: [String: @Sendable (Config) -> [String]] = [
    Settings.smtpURL.key: { MailParts.files($0) },
    Settings.lists.key: { RuleLists.files($0) },
    Settings.floor.key: { FloorFile.files($0) },
    Settings.attestRoot.key: { $0.attestRoot.map { [$0] } ?? [] },
    Settings.tlsCertificate.key: { $0.tls.map { [$0.certificate, $0.key] } ?? [] },
    Settings.places.key: { $0.places.map { [$0] } ?? [] },
  ]

  /// The files of all parts, as they are now: taken before they are read.
  static func files(_ config: Config) -> [String: FollowedFiles] { files.mapValues { FollowedFiles($0(config)) } }

  /// The same, of this part.
  func files(_ config: Config) -> FollowedFiles { FollowedFiles(Self.files[name]?(config) ?? []) }
}
