import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("The policies of this repository")
struct PoliciesTests {
  static let paths = ["policies/messai.yaml", "policies/dd-ride.yaml", "policies/vibes.yaml"]

  @Test("each file passes its own tests", arguments: paths)
  func ownTests(path: String) throws {
    let check = PolicyCheck.check(
      try Repository.bytes(path), name: path, using: SmallLists(), now: date("2026-11-20"))
    #expect(check.isGood(), "\n\(check.text())")
    #expect(check.results.count >= 7)
    #expect(check.results.filter { !$0.passed }.isEmpty)
  }
}
