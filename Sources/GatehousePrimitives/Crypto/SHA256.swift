import CCrypto

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  // SAFETY: fetched once, never freed, and immutable; OpenSSL shares an EVP_MD between threads.
  nonisolated(unsafe) static let algorithm: OpaquePointer? = EVP_MD_fetch(nil, "SHA256", nil)

  /// The 32-byte digest of `bytes`.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes[...]) }

  /// The 32-byte digest of the UTF-8 of `text`.
  package static func digest(_ text: String) -> [UInt8] { digest(Array(text.utf8)[...]) }

  /// The 32-byte digest of `bytes`.
  package static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { output, written in
      let done = bytes.withUnsafeBytes { input in
        // SAFETY: input is alive for the call; the output has the 32 bytes that SHA-256 writes.
        EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, algorithm, nil)
      }
      // A wrong digest must never be used; this happens only when OpenSSL lacks SHA-256 or memory is out.
      guard done == 1 else { fatalError("SHA-256 is not available") }
      written = 32
    }
  }
}
