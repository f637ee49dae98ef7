import Foundation
package import GatehouseIdentity
import GatehousePolicy

/// All that is wrong in a directory of templates, at once.
package struct MailTemplateProblems: Error, Equatable, CustomStringConvertible {
  package let all: [MailTemplateProblem]

  package var description: String { all.map(\.description).joined(separator: "\n") }
}

/// The renderer: the built-in mails in every language, and over them the tenants' own. An immutable snapshot:
/// files are read by `init(directory:)` only, and rendering touches no disk.
///
/// A tenant's files lie in `{directory}/{tenant}/` and are named `{kind}.{language}.subject.txt`,
/// `{kind}.{language}.txt` and `{kind}.{language}.html`; text and HTML come together, the subject may be left to the
/// built-in. For a reader of `es-MX` the tenant's `es-mx`, `es` and `en` are tried, then the built-in `es` and `en`.
package struct MailTemplates: MailRenderer {
  private let tenants: [String: MailOverrides]

  /// The built-in mails alone.
  package init() { tenants = [:] }

  /// The built-in mails and every tenant's directory under `directory`. All problems of all files are reported at once.
  package init(directory: String) throws(MailTemplateProblems) {
    tenants = try MailOverrides.read(directory: directory)
  }

  /// Throws `MailRenderError`.
  package func render(_ order: MessageOrder, tenant: String) throws -> RenderedMail {
    let candidates = Self.candidates(order.language)
    let override = tenants[tenant]?.find(order.kind, candidates)
    let layout = try MailLayout.of(Language(bestOf: [override?.language ?? order.language]))
    let values = try MailValues(order, words: layout.words)
    guard let content = layout.content(order, values) else { throw MailRenderError.nothingToDo(order.kind) }
    guard let override else {
      return RenderedMail(subject: content.subject, text: content.text, html: content.html)
    }
    return try override.render(values, kind: order.kind, subject: content.subject)
  }

  /// `es-MX` → `es-mx`, `es`, `en`.
  static func candidates(_ language: String) -> [String] {
    let tag = language.lowercased()
    let base = tag.split(separator: "-").first.map(String.init) ?? tag
    var seen: Set<String> = []
    return [tag, base, "en"].filter { seen.insert($0).inserted }
  }
}
