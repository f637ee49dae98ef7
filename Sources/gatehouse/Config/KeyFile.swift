import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// The key-encryption key: 32 bytes in base64, from a file or a command, or made where the database holds no data key
/// yet. Everything secret in the database is sealed under it; without it the database is of no use, even to its owner.
enum KeyFile {
  /// The keys that are derived from it: the key that wraps tenants' data keys, and the pepper of mailed codes.
  typealias Keys = (sealing: SealingKey, pepper: MACKey)

  /// A new key, which is in no file yet.
  struct Draft {
    fileprivate let bytes: [UInt8]
    let keys: Keys

    init() throws(Failure) {
      bytes = SecureRandom.bytes(32)
      keys = try derived(from: bytes)
    }
  }

  /// How a draft was kept.
  enum Keeping { case made, anotherWasFaster }

  /// Writes a draft where the key is looked for, for the owner of the data directory.
  static func keep(_ draft: Draft, _ config: Config) throws(Failure) -> Keeping {
    try make(usualPath(config), draft.bytes)
  }

  /// The failure for a key that is gone while data keys need it.
  static func lost(stored: Int, _ config: Config) -> Failure {
    Failure(
      .unavailable,
      "there is no key-encryption key at \(Quoted(usualPath(config))), and the \(stored) data keys in the database need it",
      hint: "put the file back from its backup: docs/operations.md, Keys")
  }

  /// The failure of a command where no server has made the key yet.
  static func notMade(_ config: Config) -> Failure {
    Failure(
      .unavailable,
      "there is no key-encryption key at \(Quoted(usualPath(config))) yet, and only a server makes it; nothing was changed",
      hint: "gatehouse serve")
  }

  /// The key as it is; nil where the first start makes it.
  static func existing(_ config: Config) throws(Failure) -> Keys? {
    if isUsual(config), access(usualPath(config), F_OK) != 0 { return nil }
    return try derived(from: try read(config))
  }

  private static func usualPath(_ config: Config) -> String { config.dataDirectory + "/kek" }
  private static func isUsual(_ config: Config) -> Bool { config.key.file == nil && config.key.command == nil }

  /// The same of the other key that is accepted while an operator changes to a new one; nil where there is none.
  static func loadOther(_ config: Config) throws(Failure) -> Keys? {
    if let command = config.key.otherCommand {
      return try derived(from: try decode(try output(of: command), "kek.other_command"))
    }
    guard let path = config.key.otherFile else { return nil }
    return try derived(from: try decode(try SecretText.read(path: path, for: "kek.other_file"), path))
  }

  /// The failure for a key that opens none of the stored data keys; nil for any other.
  static func failure(_ fit: KeyFit, _ config: Config) -> Failure? {
    guard case .opensNone(let stored) = fit else { return nil }
    if isUsual(config), access(usualPath(config), F_OK) != 0 { return lost(stored: stored, config) }
    let origin = config.key.command == nil ? Quoted(config.key.file ?? usualPath(config)).description : "kek.command"
    let other = config.key.otherCommand.map { _ in "kek.other_command" } ?? config.key.otherFile.map { "\(Quoted($0))" }
    let key =
      other.map { "the key-encryption keys of \(origin) and \($0) open" } ?? "the key-encryption key of \(origin) opens"
    return Failure(
      .unavailable, "\(key) none of the \(stored) data keys in the database: it is not this installation's",
      hint: KeyFit.cure)
  }

  private static func derived(from bytes: [UInt8]) throws(Failure) -> Keys {
    guard let wrapping = HKDF.derive(32, from: bytes, info: Array("gatehouse data keys".utf8)),
      let codes = HKDF.derive(32, from: bytes, info: Array("gatehouse mailed codes".utf8)),
      let sealing = try? SealingKey(version: 1, key: wrapping), let pepper = try? MACKey(codes)
    else { throw Failure(.usage, "the key-encryption key cannot be used") }
    return (sealing, pepper)
  }

  private static func read(_ config: Config) throws(Failure) -> [UInt8] {
    if let command = config.key.command { return try decode(try output(of: command), "kek.command") }
    let path = config.key.file ?? usualPath(config)
    return try decode(try SecretText.read(path: path, for: "kek.file"), path)
  }

  private static func decode(_ text: [UInt8], _ origin: String) throws(Failure) -> [UInt8] {
    guard let data = Data(base64Encoded: Data(text)), data.count == 32 else {
      throw Failure(.usage, "\(Quoted(origin)) does not hold 32 bytes in base64", hint: "openssl rand -base64 32")
    }
    return [UInt8](data)
  }

  /// Written under another name, forced to disk and moved into place, so that no start ever finds half a key.
  private static func make(_ path: String, _ key: [UInt8]) throws(Failure) -> Keeping {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let text = Data(key).base64EncodedString() + "\n"
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o400)
    guard descriptor >= 0 else {
      throw Failure(.unavailable, "cannot make \(Quoted(path)): \(String(cString: strerror(errno)))")
    }
    defer {
      unlink(draft)
      close(descriptor)
    }
    // A key that root makes for a service is the service's.
    var owner = stat()
    if geteuid() == 0, stat(folder, &owner) == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
    guard write(descriptor, text, text.utf8.count) == text.utf8.count, fsync(descriptor) == 0 else {
      throw Failure(.unavailable, "cannot write \(Quoted(path)): \(String(cString: strerror(errno)))")
    }
    // link(2), unlike rename(2), fails when another process was faster; its key counts then.
    if link(draft, path) == 0 { return .made }
    guard errno == EEXIST else {
      throw Failure(.unavailable, "cannot write \(Quoted(path)): \(String(cString: strerror(errno)))")
    }
    return .anotherWasFaster
  }

  private static func output(of command: String) throws(Failure) -> [UInt8] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { throw Failure(.unavailable, "kek.command cannot be run") }
    let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    guard process.terminationStatus == 0, let data else {
      throw Failure(.unavailable, "kek.command ended with status \(process.terminationStatus)")
    }
    return [UInt8](data.last == 0x0A ? data.dropLast() : data)
  }
}
