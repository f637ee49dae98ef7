import Foundation
import GatehouseIdentity

/// One tenant's own mails.
struct MailOverrides: Sendable {
  /// One kind in one language.
  struct Letter: Sendable {
    let language: String
    let file: String
    let subject: MailTemplate?
    let text, html: MailTemplate

    /// Fills the templates in; throws when the reader would see neither the link nor the code.
    func render(_ values: MailValues, kind: MessageKind, subject builtIn: String) throws(MailRenderError)
      -> RenderedMail
    {
      let mail = RenderedMail(
        subject: subject?.render(values).split(separator: "\n").joined(separator: " ") ?? builtIn,
        text: text.render(values), html: html.render(values, escape: MailHTML.escape))
      let due = [values[.link], values[.code]].compactMap(\.self)
      for (part, name) in [(mail.text, "txt"), (mail.html, "html")] where !due.isEmpty {
        guard due.contains(where: { part.contains($0) || part.contains(MailHTML.escape($0)) }) else {
          throw .notShown(kind, file: "\(file).\(name)")
        }
      }
      return mail
    }
  }

  private var letters: [String: Letter] = [:]

  func find(_ kind: MessageKind, _ languages: [String]) -> Letter? {
    languages.lazy.compactMap { letters["\(kind.rawValue).\($0)"] }.first
  }

  static let maxFileBytes = 256 * 1024

  /// Every tenant's mails under `directory`; hidden files are passed over, any other unknown file is a problem.
  static func read(directory: String) throws(MailTemplateProblems) -> [String: MailOverrides] {
    var problems: [MailTemplateProblem] = []
    var tenants: [String: MailOverrides] = [:]
    for tenant in names(in: directory, &problems) {
      var reader = MailOverridesReader(directory: "\(directory)/\(tenant)")
      for name in names(in: reader.directory, &problems) { reader.add(name) }
      tenants[tenant] = MailOverrides(letters: reader.letters())
      problems += reader.problems
    }
    guard problems.isEmpty else { throw MailTemplateProblems(all: problems) }
    return tenants
  }

  private static func names(in directory: String, _ problems: inout [MailTemplateProblem]) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      problems.append(MailTemplateProblem(file: directory, line: 0, message: "is not a readable directory"))
      return []
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }
}

/// Reads the files of one tenant.
private struct MailOverridesReader {
  let directory: String
  var problems: [MailTemplateProblem] = []
  private var parts: [String: [String: MailTemplate]] = [:]

  init(directory: String) { self.directory = directory }

  mutating func add(_ name: String) {
    let path = "\(directory)/\(name)"
    do {
      let (key, part) = try Self.parse(name, path: path)
      let template = try MailTemplate(try Self.read(path), file: path)
      parts[key, default: [:]][part] = template
    } catch {
      problems.append(error)
    }
  }

  /// The mails whose parts are complete; a part without its partner is a problem.
  mutating func letters() -> [String: MailOverrides.Letter] {
    var letters: [String: MailOverrides.Letter] = [:]
    for (key, templates) in parts.sorted(by: { $0.key < $1.key }) {
      let file = "\(directory)/\(key)"
      guard let text = templates["txt"], let html = templates["html"] else {
        let missing = templates["txt"] == nil ? "txt" : "html"
        let broken = problems.contains { $0.file == "\(file).\(missing)" }
        if !broken {
          problems.append(
            .init(file: "\(file).\(missing)", line: 0, message: "is missing: text and HTML come together"))
        }
        continue
      }
      let halves = key.split(separator: ".")
      requireLinkOrCode(kind: String(halves[0]), text, file: "\(file).txt")
      requireLinkOrCode(kind: String(halves[0]), html, file: "\(file).html")
      letters[key] = .init(
        language: String(halves[1]), file: file, subject: templates["subject.txt"], text: text, html: html)
    }
    return letters
  }

  private mutating func requireLinkOrCode(kind: String, _ template: MailTemplate, file: String) {
    guard let needs = MessageKind(rawValue: kind)?.carries?.needs else { return }
    if needs == .code {
      if !template.shown.contains(.code) {
        problems.append(.init(file: file, line: 0, message: "does not show {{code}}"))
      }
    } else if template.shown.isDisjoint(with: [.link, .code]) {
      problems.append(.init(file: file, line: 0, message: "shows neither {{link}} nor {{code}}"))
    }
  }

  /// `verify_email.es-mx.subject.txt` → key `verify_email.es-mx`, part `subject.txt`.
  private static func parse(_ name: String, path: String) throws(MailTemplateProblem) -> (key: String, part: String) {
    let pieces = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let part = pieces.dropFirst(2).joined(separator: ".")
    guard pieces.count >= 3, ["subject.txt", "txt", "html"].contains(part) else {
      let shape = "{kind}.{language}.subject.txt, .txt or .html"
      throw MailTemplateProblem(file: path, line: 0, message: "is not named \(shape)")
    }
    guard let kind = MessageKind(rawValue: pieces[0]) else {
      let all = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw MailTemplateProblem(file: path, line: 0, message: "\(pieces[0]) is not a kind of mail; kinds are: \(all)")
    }
    let language = pieces[1]
    let plain = language.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    guard (2...35).contains(language.utf8.count), plain, language == language.lowercased() else {
      throw MailTemplateProblem(
        file: path, line: 0, message: "\(language) is not a lower-case language tag such as en or es-mx")
    }
    return ("\(kind.rawValue).\(language)", part)
  }

  private static func read(_ path: String) throws(MailTemplateProblem) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw MailTemplateProblem(file: path, line: 0, message: "can not be read")
    }
    guard data.count <= MailOverrides.maxFileBytes else {
      throw MailTemplateProblem(file: path, line: 0, message: "is larger than 256 KiB")
    }
    guard let text = String(validating: data, as: UTF8.self),
      data.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d })
    else { throw MailTemplateProblem(file: path, line: 0, message: "is not UTF-8 text") }
    return text
  }
}
