import Foundation
@testable import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import Testing

@Suite("Files of stored revisions that were read")
struct StoredFilesTests {
  private let tenant: TenantName

  init() throws { tenant = try #require(TenantName("acme")) }

  private func revision(_ number: Int, bytes: Int = 0, _ language: PolicyLanguage = .current) -> PolicyRevision {
    var text = PolicyFile.initial(tenant: "acme", name: "Acme") + "# \(number)\n"
    while text.utf8.count < bytes { text += "# " + String(repeating: "x", count: 97) + "\n" }
    return PolicyRevision(
      number: number, text: text, digest: SHA256.digest(text), author: "a", reason: "",
      createdAt: Date(timeIntervalSince1970: 0), language: language)
  }

  /// The parses of a body.
  private func parses(_ body: () throws -> Void) rethrows -> Int {
    let count = LockBox(0)
    try Parsing.$observer.withValue({ _ in count.withLock { $0 += 1 } }) { try body() }
    return count.withLock { $0 }
  }

  @Test("a revision is read once, and has the name of the number that asks")
  func once() throws {
    let files = StoredFiles()
    let first = revision(1)
    var again = first
    again.number = 2
    #expect(try parses { _ = try files.file(of: first, of: tenant).get() } == 1)
    #expect(try parses { _ = try files.file(of: again, of: tenant).get() } == 0)
    #expect(try files.file(of: again, of: tenant).get().name == "acme revision 2")
  }

  @Test("the same text under another language is another file")
  func languages() throws {
    let files = StoredFiles()
    _ = try files.file(of: revision(1), of: tenant).get()
    #expect(try parses { _ = try files.file(of: revision(1, .first), of: tenant).get() } == 1)
  }

  @Test("a text that is refused is not kept")
  func refused() throws {
    let files = StoredFiles()
    var broken = revision(1)
    broken.text = "tenant: ["
    for _ in 0..<2 {
      #expect(parses { _ = files.file(of: broken, of: tenant) } == 1)
    }
    #expect(throws: PolicyFileRefusal.self) { try files.file(of: broken, of: tenant).get() }
  }

  @Test("the file that was used longest ago goes once there are too many bytes")
  func bounded() throws {
    let files = StoredFiles()
    let third = StoredFiles.mostBytes / 3
    let (one, two, three) = (revision(1, bytes: third), revision(2, bytes: third), revision(3, bytes: third))
    for revision in [one, two, one, three] { _ = try files.file(of: revision, of: tenant).get() }
    #expect(try parses { _ = try files.file(of: one, of: tenant).get() } == 0)
    #expect(try parses { _ = try files.file(of: three, of: tenant).get() } == 0)
    #expect(try parses { _ = try files.file(of: two, of: tenant).get() } == 1)
  }
}
