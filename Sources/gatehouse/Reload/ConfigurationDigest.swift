import GatehousePrimitives

/// Digests of settings and files, which the operations listener shows. They are keyed: none can be compared with a
/// guessed password without the key-encryption key.
struct ConfigurationDigest: Sendable {
  private let key: MACKey

  init(_ key: MACKey) { self.key = key }

  /// The digest of a setting's value.
  func value(_ setting: ConfigReader.Shown) -> String { text(["value", setting.key, setting.value]) }

  /// The digest of a file's state.
  func file(_ path: String, _ stamp: FileStamp) -> String { text(["file", path, stamp.text]) }

  /// 64 bits in hexadecimal digits.
  private func text(_ parts: [String]) -> String {
    let code = key.code(parts: (["gatehouse configuration"] + parts).map { Array($0.utf8) })
    return code.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
