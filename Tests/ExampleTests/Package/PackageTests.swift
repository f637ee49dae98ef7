import Foundation
import GatehouseTesting
import Testing

/// What apps get of this repository, looked at by Swift's own tools. `script/client` does the work.
@Suite("The client as a package")
struct PackageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  /// Those that this test was built with.
  private static let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "Modules").path

  private func client(_ words: String...) throws -> (exit: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: Self.root + "/script/client")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private func folder(_ name: String) throws -> URL { URL(filePath: try TestFolder.make(name)) }

  @Test("C16 an app that depends on a version builds without a warning or a C library besides libcurl, and runs")
  func app() throws {
    let built = try client("app", "--by", "version")
    #expect(built.exit == 0, "\(built.output)")
  }

  @Test("C17 the public API is the one that was reviewed: api.txt")
  func interface() throws {
    let same = try client("api", "--modules", Self.modules)
    #expect(same.exit == 0, "\(same.output)")
  }

  @Test("C17 a line less in api.txt is an API without a review")
  func interfaceControl() throws {
    let file = try folder("api").appending(path: "api.txt")
    let text = try String(contentsOfFile: Self.root + "/Sources/GatehouseClient/api.txt", encoding: .utf8)
    let line = "AuthClient.signOut(): func signOut() async\n"
    try #require(text.contains(line))
    try text.replacing(line, with: "").write(to: file, atomically: true, encoding: .utf8)
    let other = try client("api", "--modules", Self.modules, "--against", file.path)
    #expect(other.exit == 1 && other.output.contains("+" + line), "\(other.output)")
  }

  @Test("the documentation builds without a warning")
  func documentation() throws {
    let built = try client("docs", "--modules", Self.modules, "--output", try folder("documentation").path + "/out")
    #expect(built.exit == 0, "\(built.output)")
  }

  @Test("a link to a symbol that is gone ends the build of the documentation")
  func documentationControl() throws {
    let catalog = try folder("catalog").appending(path: "Documentation.docc")
    try FileManager.default.createDirectory(at: catalog, withIntermediateDirectories: false)
    try "# ``GatehouseClient``\n\nSee ``AuthClient/logOut()``.\n".write(
      to: catalog.appending(path: "GatehouseClient.md"), atomically: true, encoding: .utf8)
    let output = try folder("documentation").path + "/out"
    let built = try client("docs", "--modules", Self.modules, "--catalog", catalog.path, "--output", output)
    #expect(built.exit == 1 && built.output.contains("logOut()"), "\(built.output)")
  }

  @Test("the Swift on pages of the documentation, on the tutorial and beside the screens compiles")
  func pages() throws {
    let checked = try client("pages", "--modules", Self.modules)
    #expect(checked.exit == 0, "\(checked.output)")
  }

  @Test("a page whose Swift calls what is not there fails, with its line")
  func pagesControl() throws {
    let page = try folder("page").appending(path: "page.md")
    try "# Page\n\n```swift\nimport GatehouseClient\n\nfunc f(_ client: AuthClient) { client.logOut() }\n```\n".write(
      to: page, atomically: true, encoding: .utf8)
    let checked = try client("pages", "--modules", Self.modules, "--page", page.path)
    #expect(checked.exit == 1 && checked.output.contains("page.swift:6:"), "\(checked.output)")
  }

  @Test("Apple's part of the client and the screens have the right types for iOS 16 and macOS 13")
  func apple() throws {
    let checked = try client("apple")
    #expect(checked.exit == 0, "\(checked.output)")
  }

  /// A mistake in Apple's part: a text of one of its files, another in its place, and the compiler's words.
  struct Mistake: CustomTestStringConvertible {
    let name: String
    let file: String
    let old: String
    let new: String
    let words: String
    var testDescription: String { name }
  }

  static let mistakes = [
    Mistake(
      name: "a misspelled member", file: "Sources/GatehouseClient/Apple/BrowserFlow+Run.swift",
      old: "session.cancel()", new: "session.cancle()", words: "has no member 'cancle'"),
    Mistake(
      name: "an argument of another type", file: "Sources/GatehouseClient/Apple/KeychainStore.swift",
      old: "SecItemDelete(query as CFDictionary)", new: "SecItemDelete(service)",
      words: "cannot convert value of type 'String' to expected argument type 'CFDictionary'"),
    Mistake(
      name: "what came after iOS 16", file: "Sources/GatehouseClient/Apple/BrowserFlow+Run.swift",
      old: "guard #available(iOS 17.4, macOS 14.4, visionOS 1.1, *), let redirect", new: "guard let redirect",
      words: "is only available in iOS 17.4 or newer"),
    Mistake(
      name: "a view that came after iOS 16", file: "Sources/GatehouseUI/Screens/VerifyView.swift",
      old: ".task { await model.watch() }", new: ".sensoryFeedback(.success, trigger: isStillOpen)",
      words: "'sensoryFeedback(_:trigger:)' is only available in iOS 17.0 or newer"),
    Mistake(
      name: "a property that a model does not have", file: "Sources/GatehouseUI/Screens/ResetView.swift",
      old: "model.step == .address", new: "model.steps == .address", words: "has no dynamic member 'steps'"),
    Mistake(
      name: "what iOS does not have", file: "Sources/GatehouseClient/Store/DefaultStore.swift",
      old: "#if !canImport(Security)", new: "#if canImport(Security)",
      words: "'homeDirectoryForCurrentUser' is unavailable in iOS"),
  ]

  @Test("a mistake in Apple's part is found", arguments: mistakes)
  func appleControl(mistake: Mistake) throws {
    let text = try String(contentsOfFile: "\(Self.root)/\(mistake.file)", encoding: .utf8)
    try #require(text.contains(mistake.old))
    let file = try folder("apple").appending(path: "Other.swift")
    try text.replacing(mistake.old, with: mistake.new).write(to: file, atomically: true, encoding: .utf8)
    let checked = try client("apple", "--platform", "ios", "--instead", "\(mistake.file)=\(file.path)")
    #expect(checked.exit == 1 && checked.output.contains(mistake.words), "\(checked.output)")
  }

  @Test("each stand-in says which versions of the systems have it")
  func standIns() throws {
    let folder = Self.root + "/Tests/AppleStandIns"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swiftinterface") }
    #expect(files.count > 5)
    for file in files {
      var isSaid = false
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if line.hasPrefix("@available(") { isSaid = true }
        let words = Set(line.split(separator: " ").prefix(5))
        guard !line.hasPrefix(" "), !words.isDisjoint(with: ["public", "open", "extension"]) else { continue }
        #expect(isSaid, "\(file):\(number + 1)")
        isSaid = false
      }
    }
  }

  @Test("script/apple-check says that it needs a Mac, and fails")
  func appleCheck() throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.root + "/script/apple-check")
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 69 && text.contains("needs a Mac"))
  }
}
