import Foundation
import GatehousePolicy
import Testing

@Suite("Bundles")
struct BundleTests {
  private static let whole = String(decoding: Policies.ddRide.bundle, as: UTF8.self)

  private func error(of text: String) -> PolicyBundleError? {
    do throws(PolicyBundleError) {
      _ = try Policy(bundle: Array(text.utf8))
      return nil
    } catch { return error }
  }

  private func changed(_ old: String, _ new: String) -> String {
    Self.whole.replacing(old, with: new, maxReplacements: 1)
  }

  @Test("a policy that is made of a bundle has the same bundle", arguments: [Policies.ddRide, Policies.messAI()])
  func again(policy: Policy) throws {
    let bundle = policy.bundle
    #expect(bundle == policy.bundle)
    #expect(try Policy(bundle: bundle).bundle == bundle)
  }

  @Test("the order of keys and white space mean nothing")
  func order() throws {
    let tree = try JSONSerialization.jsonObject(with: Data(Self.whole.utf8))
    let other = try JSONSerialization.data(withJSONObject: tree)
    #expect(try Policy(bundle: other).bundle == Policies.ddRide.bundle)
  }

  @Test("a file that is cut anywhere is refused as such")
  func cut() {
    let bytes = Array(Self.whole.utf8)
    for end in stride(from: 0, to: bytes.count - 2, by: 97) {
      #expect(error(of: String(decoding: bytes[..<end], as: UTF8.self)) == .unreadable, "\(end)")
    }
    #expect(error(of: Self.whole) == nil)
  }

  @Test("another file and another format are told apart")
  func format() {
    #expect(error(of: "{\"tenant\": \"dd-ride\"}") == .format(nil))
    #expect(error(of: changed("bundle.v1", "bundle.v2")) == .format("gatehouse/bundle.v2"))
    #expect(error(of: changed("\"gatehouse/bundle.v1\"", "1"))?.description.contains("\"bundle\"") == true)
    #expect(error(of: "[]") == .unreadable)
  }

  @Test("a wrong key or value is named with its place")
  func places() {
    #expect(error(of: changed("\"tenant\":", "\"tennant\":")) == .unknownKey("tennant"))
    #expect(error(of: changed("\"normalize\":", "\"normalise\":")) == .unknownKey("identifiers.email.normalise"))
    #expect(error(of: changed("\"id\": \"password.min8\",", "")) == .missing("password.rules[1].id"))
    let kind = error(of: changed("\"kind\": \"allowed_domains\"", "\"kind\": \"min_length\""))
    guard case .unexpected("identifiers.email.rules[0].kind", let expected) = kind else {
      Issue.record("\(kind as Any)")
      return
    }
    #expect(expected.contains("allowed_domains"))
    let value = error(of: changed("\"value\": 8", "\"value\": \"eight\""))
    #expect(value == .unexpected("password.rules[1].value", expected: "a whole number from 1 to 1024"))
    #expect(value?.description.contains("gatehouse policy bundle") == true)
  }
}
