import Glibc

/// The identity of one state of a file, found without reading it.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The state of a file; all zero where the file does not exist.
  package init(_ path: String) {
    var status = Glibc.stat()
    let isThere = stat(path, &status) == 0
    device = isThere ? status.st_dev : 0
    inode = isThere ? status.st_ino : 0
    size = isThere ? status.st_size : 0
    seconds = isThere ? status.st_mtim.tv_sec : 0
    nanoseconds = isThere ? status.st_mtim.tv_nsec : 0
  }

  /// The state as text, which differs for every other state.
  package var text: String { "\(device):\(inode):\(size):\(seconds).\(nanoseconds)" }
}

/// Files that are read again when one of them changes, once all have stayed unchanged from one look to the next: a
/// person replaces them one after the other, and an editor writes in steps.
package struct FollowedFiles: Sendable {
  private var paths: [String]
  /// The files as they were when they were last read, and when they were last looked at.
  private var read: [FileStamp]
  private var seen: [FileStamp]

  /// Begins before the files are read, so that a change meanwhile is seen.
  package init(_ paths: [String]) {
    self.paths = paths
    read = paths.map(FileStamp.init)
    seen = read
  }

  /// Whether they have to be read now. Each state of them is due once, also one that is of no use.
  package mutating func areDue() -> Bool {
    let now = paths.map(FileStamp.init)
    defer { seen = now }
    guard now != read, now == seen else { return false }
    read = now
    return true
  }

  /// The state that was read last, by path.
  package var state: [(path: String, stamp: FileStamp)] { zip(paths, read).map { ($0, $1) } }
}
