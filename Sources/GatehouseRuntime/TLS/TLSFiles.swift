import CTLS
import Glibc

/// The texts of a certificate and its key as they were read together; the key is erased at the end.
final class TLSFiles {
  /// Longer files hold something else.
  private static let limit = 1_048_576

  let certificatePath: String
  let keyPath: String
  let certificate: [UInt8]
  private(set) var key: [UInt8]

  init(certificate: String, key: String) throws(TLSError) {
    certificatePath = certificate
    keyPath = key
    self.certificate = try Self.read(certificate)
    self.key = try Self.read(key)
  }

  deinit { key.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }

  private static func read(_ path: String) throws(TLSError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw TLSError(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    // In one piece, so that no half of a key stays behind in a buffer that grew.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TLSError(path: path, reason: "is not a file")
    }
    guard status.st_size <= limit else { throw TLSError(path: path, reason: "is longer than \(limit) bytes") }
    let size = Int(status.st_size)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        count += got
      }
    }
    guard failure == 0 else { throw TLSError(path: path, reason: String(cString: strerror(failure))) }
    return bytes
  }
}
