import Foundation
import GatehousePrimitives
import GatehouseTesting
import Testing

@Suite("Files that are followed")
struct FollowedFilesTests {
  private let folder: String
  private var path: String { folder + "/one" }
  private var other: String { folder + "/two" }

  init() throws {
    folder = try TestFolder.make("followed")
    try write("first", path)
    try write("first", other)
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private func looks(_ files: inout FollowedFiles, _ count: Int) -> [Bool] { (0..<count).map { _ in files.areDue() } }

  @Test("files that do not change are never due")
  func quiet() {
    var files = FollowedFiles([path, other])
    let seen1 = looks(&files, 3)
    #expect(seen1 == [false, false, false])
  }

  @Test("a change is due once, after it was left alone from one look to the next")
  func change() throws {
    var files = FollowedFiles([path, other])
    try write("second", path)
    let seen2 = looks(&files, 4)
    #expect(seen2 == [false, true, false, false])
  }

  @Test("files that are replaced one after the other are due when the last one was left alone")
  func oneAfterTheOther() throws {
    var files = FollowedFiles([path, other])
    try write("second", path)
    let seen3 = looks(&files, 1)
    #expect(seen3 == [false])
    try write("second", other)
    let seen4 = looks(&files, 3)
    #expect(seen4 == [false, true, false])
  }

  @Test("a file that goes is a change, and so is one that comes")
  func gone() throws {
    var files = FollowedFiles([path])
    try FileManager.default.removeItem(atPath: path)
    let seen5 = looks(&files, 3)
    #expect(seen5 == [false, true, false])
    try write("again", path)
    let seen6 = looks(&files, 3)
    #expect(seen6 == [false, true, false])
  }

  @Test("a change between the first stamp and the reading is seen")
  func whileReading() throws {
    var files = FollowedFiles([path])
    try write("during", path)
    let seen7 = looks(&files, 2)
    #expect(seen7 == [false, true])
  }
}
