package import GatehouseIdentity
import GatehousePrimitives

/// The state of this machine that the pages of development show. A server for the public is given none, so its tables
/// have none of their paths.
package struct Development: Sendable {
  /// A mail that was kept in the place of being sent.
  package struct Mail: Sendable {
    let to: String
    let subject: String
    /// When it was made, `2026-11-21T09:30:00Z`; nil where that is not known.
    let time: String?
    /// The plain text part.
    let text: String
    /// The HTML part.
    let html: String
    /// The code that it carries.
    let code: String?

    /// The name of the HTML part in addresses.
    var name: String { Hex.encode(Array(SHA256.digest(html).prefix(16))) }

    package init(to: String, subject: String, time: String?, text: String, html: String, code: String?) {
      self.to = to
      self.subject = subject
      self.time = time
      self.text = text
      self.html = html
      self.code = code
    }
  }

  /// The destination of mails.
  package enum Mails: Sendable {
    /// They stay on this machine. The function returns the newest ones, newest first, at most so many; nil where they
    /// cannot be read.
    case kept(@Sendable (Int) async -> [Mail]?)
    /// They go to the mail server of this name.
    case sent(to: String)
  }

  /// The policy files that the server watches, as of its last look.
  package struct PolicyFiles: Sendable {
    let directory: String
    /// Sorted.
    let names: [String]
    let troubles: [PolicyFileTrouble]
    /// Why the directory cannot be listed; nil where it can.
    let lost: String?

    package init(_ watch: WatchPolicies) {
      (directory, names) = (watch.directory, watch.names)
      (troubles, lost) = (watch.troubles, watch.lost)
    }

    init(directory: String, names: [String], troubles: [PolicyFileTrouble] = [], lost: String? = nil) {
      (self.directory, self.names) = (directory, names)
      (self.troubles, self.lost) = (troubles, lost)
    }

    /// The path of a file of the directory.
    func path(_ name: String) -> String { directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)" }
  }

  let mails: Mails
  /// Nil where the server watches none.
  let policyFiles: @Sendable () -> PolicyFiles?

  package init(mails: Mails, policyFiles: @escaping @Sendable () -> PolicyFiles?) {
    self.mails = mails
    self.policyFiles = policyFiles
  }
}
