import Foundation
import Testing

/// Warnings are errors in this project's own builds, and in no app's.
@Suite("Strict builds")
struct StrictTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(WallTests.root)/\(path)", encoding: .utf8)
  }

  @Test("each script that builds sets GATEHOUSE_STRICT", arguments: ["build", "test", "prove", "bench"])
  func scripts(name: String) throws {
    #expect(try text("script/\(name)").split(separator: "\n").contains("export GATEHOUSE_STRICT=1"))
  }

  @Test("what CI runs is script/test")
  func ci() throws { #expect(try text(".ci/run").contains("exec script/test")) }

  @Test("the package treats warnings as errors under that name alone")
  func package() throws {
    let package = try text("Package.swift")
    let lines = package.split(separator: "\n").filter { $0.contains("treatAllWarnings") }
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains("environment[\"GATEHOUSE_STRICT\"]") })
  }

  @Test("C16 the package asks pkg-config for nothing, which warns in apps that have no such library")
  func pkgConfig() throws { #expect(try text("Package.swift").contains("pkgConfig:") == false) }
}
