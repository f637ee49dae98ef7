import Foundation

/// An account of the operating system.
struct OSUser: Sendable, Equatable {
  let name: String
  let uid: uid_t
  let gid: gid_t

  /// The user of this process.
  static func current() -> OSUser? { lookUp { getpwuid_r(geteuid(), $0, $1, $2, $3) } }

  static func named(_ name: String) -> OSUser? { lookUp { getpwnam_r(name, $0, $1, $2, $3) } }

  /// The user that PostgreSQL runs as: this process's user, or an unprivileged one if that is root.
  static func forPostgres() throws(EmbeddedError) -> OSUser {
    if geteuid() == 0 {
      guard let user = named("gatehouse") ?? named("postgres"), user.uid != 0 else { throw .noUnprivilegedUser }
      return user
    }
    guard let user = current() else { throw .noUnprivilegedUser }
    return user
  }

  /// Whether a child must drop to this user.
  var isOther: Bool { uid != geteuid() }

  /// The first of the directory and its parents that this user may not pass, or nil.
  func firstClosed(onTheWayTo directory: String) -> String? {
    var path = ""
    for part in [""] + directory.split(separator: "/").map(String.init) {
      if !part.isEmpty { path += "/" + part }
      var info = stat()
      let here = path.isEmpty ? "/" : path
      guard stat(here, &info) == 0 else { return here }
      let bit: mode_t = info.st_uid == uid ? S_IXUSR : info.st_gid == gid ? S_IXGRP : S_IXOTH
      guard uid == 0 || info.st_mode & bit != 0 else { return here }
    }
    return nil
  }

  private static func lookUp(
    _ call: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) -> OSUser? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard let start = buffer.baseAddress, call(&entry, start, buffer.count, &found) == 0, found != nil else {
        return nil
      }
      return OSUser(name: String(cString: entry.pw_name), uid: entry.pw_uid, gid: entry.pw_gid)
    }
  }
}
