public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps each record in a file of mode 0600 in one folder of mode 0700.
///
/// A record is written to a file beside it, flushed to the disk and renamed, so that a crash leaves the old record or
/// the new one. A lock file of its own, held for a read and a write, keeps processes apart; a process that does not get
/// it within two seconds is told `unavailable`. Files are not encrypted: on Apple's systems `KeychainStore` is the
/// better place.
public final class FileStore: SecureStore {
  /// The folder of the files.
  public let folder: URL

  /// A record is a few kilobytes.
  private static let largest = 1 << 20

  /// How long an update waits for another process.
  private let patience: Duration

  /// A store in this folder, which is made when the first record is written.
  public convenience init(folder: URL) { self.init(folder: folder, patience: FileLock.patience) }

  init(folder: URL, patience: Duration) {
    self.folder = folder
    self.patience = patience
  }

  /// The record of this name.
  public func read(_ key: String) throws(StoreError) -> Data? { try contents(of: path(of: key)) }

  /// Replaces the record.
  public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data? {
    try makeFolder()
    let path = path(of: key)
    let lock = try FileLock(path + ".lock", patience: patience)
    defer { lock.release() }
    // A process that ended while it wrote left its tokens behind.
    unlink(path + ".new")
    let old = try contentsOrAside(path)
    let new = change(old)
    guard new != old else { return new }
    if let new { try write(new, to: path) } else { try remove(path) }
    return new
  }

  /// Letters, digits, `-` and `.` stand for themselves; every other byte is `_` and two digits.
  private func path(of key: String) -> String {
    var name = ""
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        name.append(Character(Unicode.Scalar(byte)))
      default:
        let digits = String(byte, radix: 16)
        name += "_" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return folder.appendingPathComponent("session-" + name).path
  }

  private func makeFolder() throws(StoreError) {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unavailable
    }
  }

  /// The record; a damaged one is put aside, where its owner finds it.
  private func contentsOrAside(_ path: String) throws(StoreError) -> Data? {
    do {
      return try contents(of: path)
    } catch .damaged {
      guard rename(path, path + ".damaged") == 0 else { throw .unavailable }
      return nil
    } catch {
      throw error
    }
  }

  private func contents(of path: String) throws(StoreError) -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .unavailable
    }
    defer { close(descriptor) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Self.read(descriptor, into: &buffer)
      if count == 0 { return data }
      if count < 0 {
        if errno == EINTR { continue }
        throw .unavailable
      }
      data.append(contentsOf: buffer[..<count])
      guard data.count <= Self.largest else { throw .damaged }
    }
  }

  private func write(_ data: Data, to path: String) throws(StoreError) {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unavailable }
    var rest = [UInt8](data)[...]
    while !rest.isEmpty {
      let count = Self.write(descriptor, rest)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        close(descriptor)
        unlink(temporary)
        throw .unavailable
      }
      rest = rest.dropFirst(count)
    }
    let flushed = fsync(descriptor) == 0
    guard close(descriptor) == 0, flushed, rename(temporary, path) == 0 else {
      unlink(temporary)
      throw .unavailable
    }
    flushFolder()
  }

  private func remove(_ path: String) throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .unavailable }
    flushFolder()
  }

  /// The name of a file is on the disk when its folder is.
  private func flushFolder() {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
  }

  private static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
  }
}

/// The system's calls, whose names the store's own methods hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
