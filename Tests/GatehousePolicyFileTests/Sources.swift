import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives

/// Lists small enough to read, for tests that must not depend on shipped files.
struct SmallLists: FactSource {
  static let common: Set<String> = ["123456", "password", "qwertyuiop12345", "iloveyou", "passwordpassword"]

  func isListed(_ password: String, list: String) -> Bool? {
    ["common", "breached"].contains(list) ? Self.common.contains(password.lowercased()) : nil
  }
  func strength(of password: String, inputs: [String]) -> Int? { min(4, password.utf8.count / 4) }
  func isReused(_ password: String, last: Int) -> Bool? { false }
  func isDisposable(_ domain: String) -> Bool? { domain == "mailinator.com" }
  func phone(_ raw: String, region: String) -> PhoneFact? { nil }
  func asciiDomain(_ domain: String) -> String? { nil }
}

/// The files of this repository.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appending(path: path)))
  }
}

/// The file a text says, with a readable failure.
func read(_ text: String, name: String = "policies/test.yaml") throws -> PolicyFile {
  switch PolicyFile.read(text, name: name) {
  case .success(let file): return file
  case .failure(let refusal): throw Unreadable(report: refusal.text())
  }
}

struct Unreadable: Error, CustomStringConvertible {
  let report: String
  var description: String { "\n" + report }
}

/// Everything wrong with a text, rendered.
func findings(_ text: String, name: String = "policies/test.yaml") -> String {
  switch PolicyFile.read(text, name: name) {
  case .success: ""
  case .failure(let refusal): refusal.text()
  }
}

/// A day that must be one.
func date(_ text: String) -> Date { Day(text)?.start ?? .distantPast }

/// The lists and libraries the server itself uses.
struct ShippedLists: FactSource {
  private let lists: [String: PasswordList]

  init() throws {
    lists = [
      "common": try PasswordList(try Repository.bytes("config/lists/common.list")),
      "breached": try PasswordList(try Repository.bytes("config/lists/breached.list")),
    ]
  }

  func isListed(_ password: String, list: String) -> Bool? { lists[list]?.contains(password) }
  func strength(of password: String, inputs: [String]) -> Int? { PasswordStrength.score(password, words: inputs) }
  func phone(_ raw: String, region: String) -> PhoneFact? {
    guard let number = PhoneNumber(raw, region: region) else { return PhoneFact(e164: nil) }
    return PhoneFact(
      e164: number.e164, region: number.region, isPossible: number.isPossible, isValid: number.isValid,
      hasExtension: number.hasExtension)
  }
  func asciiDomain(_ domain: String) -> String? { DomainName.ascii(domain) }
}
