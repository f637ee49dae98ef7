import Foundation

/// The 0700 directory of the cluster's unix socket. A socket's path must stay under 100 bytes however deep the data
/// lies.
enum SocketDirectory {
  /// Makes the directory under `/run/gatehouse` or `/tmp`, named by a hash of the data path.
  static func make(for dataDirectory: String, user: OSUser) throws(EmbeddedError) -> String {
    let name = "gatehouse-" + hash(ClusterProcesses.realPath(dataDirectory) ?? dataDirectory)
    if geteuid() == 0 { mkdir("/run/gatehouse", 0o755) }
    let isRunReachable = user.firstClosed(onTheWayTo: "/run/gatehouse") == nil
    let base = isRunReachable && access("/run/gatehouse", W_OK | X_OK) == 0 ? "/run/gatehouse" : "/tmp"
    let path = base + "/" + name
    if mkdir(path, 0o700) == 0 {
      if user.isOther, lchown(path, user.uid, user.gid) != 0 { throw .errno(path) }
    }
    var info = stat()
    guard lstat(path, &info) == 0 else { throw .errno(path) }
    // Under /tmp another user may have made it first.
    guard info.st_mode & S_IFMT == S_IFDIR, info.st_uid == user.uid, info.st_mode & 0o077 == 0 else {
      throw .unusable(path: path, why: "it is not a directory of user \(user.name) alone")
    }
    return path
  }

  /// FNV-1a, 64 bits: names only have to differ, they protect nothing.
  static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
