import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("Fields with another name")
struct RenameTests {
  private func file(_ fields: String) throws -> PolicyFile {
    try read(ReadingTests.base + "profile: {fields: {\(fields)}}\n")
  }

  @Test("a rename is one change, and rules are compared as those of one field")
  func diff() throws {
    let old = try file("ward: {type: string, max_length: 20}")
    let same = PolicyFile.diff(old, try file("unit: {type: string, max_length: 20, renamed_from: ward}"))
    #expect(same.map(\.subject) == ["profile.unit"])
    #expect(same.first?.sentence.hasPrefix("field ward is renamed unit; stored values move") == true)
    #expect(same.first?.oldLine == 5 && same.first?.newLine == 5)
    let shorter = PolicyFile.diff(old, try file("unit: {type: string, max_length: 10, renamed_from: ward}"))
    #expect(shorter.map(\.subject) == ["profile.unit", "unit.max_length"])
    #expect(shorter.last?.relation == .stricter)
    let back = PolicyFile.diff(try file("unit: {type: string, max_length: 20, renamed_from: ward}"), old)
    #expect(back.map(\.subject) == ["profile.ward"])
    #expect(
      back.first?.sentence.hasPrefix("field unit has its former name ward again; stored values move back") == true)
    // Without the former name it is another field.
    let other = PolicyFile.diff(old, try file("unit: {type: string, max_length: 20}"))
    #expect(other.map(\.subject) == ["profile.ward", "profile.unit"])
    // The line that goes later changes no request.
    let gone = PolicyFile.diff(
      try file("unit: {type: string, renamed_from: ward}"), try file("unit: {type: string}"))
    #expect(gone.map(\.subject) == ["unit.renamed_from"] && gone.map(\.relation) == [.neutral])
  }

  @Test(
    "a former name that is the field's own, another field or that of two fields is refused",
    arguments: [
      "unit: {type: string, renamed_from: unit}", "unit: {type: string, renamed_from: ward}, ward: {type: string}",
      "unit: {type: string, renamed_from: ward}, room: {type: string, renamed_from: ward}",
      // A chain.
      "unit: {type: string, renamed_from: room}, room: {type: string, renamed_from: ward}",
    ])
  func refused(fields: String) {
    let text = ReadingTests.base + "profile: {fields: {\(fields)}}\n"
    guard case .failure(let refusal) = PolicyFile.read(text, name: "acme") else {
      Issue.record("taken")
      return
    }
    #expect(refusal.diagnostics.map(\.code) == [.badRename])
  }

  @Test("a stored profile is read under the new names, and under the former ones after a rollback")
  func reading() throws {
    let old = try file("ward: {type: string}, role: {type: string}").policy
    let new = try file("unit: {type: string, renamed_from: ward}, role: {type: string}").policy
    #expect(new.profile.renames == [Rename(field: "unit", source: "ward")])
    #expect(new.profile.renaming(["ward": "n", "role": "r"]) == ["unit": "n", "role": "r"])
    #expect(new.profile.renaming(["ward": "n", "unit": "u"]) == ["ward": "n", "unit": "u"])
    #expect(old.reading(["unit": "n"], after: new) == ["ward": "n"])
    #expect(old.reading(["unit": "n", "ward": "w"], after: new) == ["unit": "n", "ward": "w"])
    #expect(new.reading(["unit": "n"], after: new) == ["unit": "n"])
    #expect(new.newRenames(against: old) == new.profile.renames && new.newRenames(against: new).isEmpty)
    #expect(try Policy(bundle: new.bundle).profile.renames == new.profile.renames)
  }
}
