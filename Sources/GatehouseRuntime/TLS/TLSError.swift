/// Why a certificate and its key cannot be used, with the file that is to blame.
package struct TLSError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String { "\(path): \(reason)" }
}
