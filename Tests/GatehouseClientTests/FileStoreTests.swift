import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseClient

@Suite("FileStore")
struct FileStoreTests {
  private let folder: URL

  init() throws { folder = URL(fileURLWithPath: try TestFolder.make("store")).appendingPathComponent("inner") }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

  @Test("C05 a record comes back as it was written, and nil removes it")
  func roundTrip() throws {
    let store = FileStore(folder: folder)
    #expect(try store.read("a") == nil)
    #expect(try store.update("a") { _ in Data("one".utf8) } == Data("one".utf8))
    #expect(try store.update("a") { ($0 ?? Data()) + Data(" two".utf8) } == Data("one two".utf8))
    #expect(try FileStore(folder: folder).read("a") == Data("one two".utf8))
    #expect(try store.update("a") { _ in nil } == nil)
    #expect(try store.read("a") == nil)
  }

  @Test("C05 files are the owner's alone")
  func modes() throws {
    _ = try FileStore(folder: folder).update("a") { _ in Data("one".utf8) }
    #expect(try mode(folder.path) == 0o700)
    for file in try files() { #expect(try mode(folder.appendingPathComponent(file).path) == 0o600, "\(file)") }
  }

  @Test("C20 names with any character make files in the folder, each its own")
  func names() throws {
    let store = FileStore(folder: folder)
    let names = ["../../escape", "a/b", "a_2fb", "a|b", "A|b", "ä", "", ".", String(repeating: "x", count: 60)]
    for name in names { _ = try store.update(name) { _ in Data(name.utf8) } }
    for name in names { #expect(try store.read(name) == Data(name.utf8), "\(name)") }
    #expect(try files().count { !$0.hasSuffix(".lock") } == names.count)
    #expect(try files().allSatisfy { $0.hasPrefix("session-") })
  }

  @Test("C05 a file that is too large is damaged, and put aside by the next write")
  func damaged() throws {
    let store = FileStore(folder: folder)
    _ = try store.update("a") { _ in Data("one".utf8) }
    let path = folder.appendingPathComponent("session-a").path
    try Data(count: (1 << 20) + 1).write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.damaged) { try store.read("a") }
    #expect(try store.update("a") { $0 == nil ? Data("new".utf8) : $0 } == Data("new".utf8))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
  }

  @Test("C05 a lock that another process holds makes the store unavailable after its patience, and leaves the record")
  func locked() throws {
    let store = FileStore(folder: folder, patience: .milliseconds(1))
    _ = try store.update("a") { _ in Data("one".utf8) }
    let lock = try FileLock(folder.appendingPathComponent("session-a").path + ".lock")
    #expect(throws: StoreError.unavailable) { try store.update("a") { _ in Data("two".utf8) } }
    #expect(try store.read("a") == Data("one".utf8))
    lock.release()
    #expect(try store.update("a") { _ in Data("two".utf8) } == Data("two".utf8))
  }

  @Test("C05 a folder that cannot be made makes the store unavailable, and not empty")
  func unwritable() throws {
    try Data().write(to: folder)
    let store = FileStore(folder: folder.appendingPathComponent("below"))
    #expect(throws: StoreError.unavailable) { try store.update("a") { _ in Data("one".utf8) } }
    #expect(throws: StoreError.unavailable) { try store.read("a") }
  }

  @Test("C05 what an interrupted write left beside a record does not matter")
  func leftover() throws {
    let store = FileStore(folder: folder)
    _ = try store.update("a") { _ in Data("one".utf8) }
    try Data("half".utf8).write(to: folder.appendingPathComponent("session-a.new"))
    #expect(try store.read("a") == Data("one".utf8))
    #expect(try store.update("a") { _ in Data("two".utf8) } == Data("two".utf8))
    #expect(try store.read("a") == Data("two".utf8))
  }

  @Test("C05 the tokens of an interrupted write are gone with the record")
  func leftoverTokens() throws {
    let store = FileStore(folder: folder)
    _ = try store.update("a") { _ in Data("one".utf8) }
    try Data("tokens".utf8).write(to: folder.appendingPathComponent("session-a.new"))
    #expect(try store.update("a") { _ in nil } == nil)
    #expect(try !files().contains { $0.hasSuffix(".new") })
  }
}
