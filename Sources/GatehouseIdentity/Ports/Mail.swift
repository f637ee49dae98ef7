package import Foundation

// What the mail channel is made of: a renderer makes the words, a transport carries them. The outbound room implements
// both.

/// The words of one mail. The text and HTML parts say the same.
package struct RenderedMail: Sendable, Equatable {
  /// One line of text.
  package var subject: String
  /// Plain text, lines ended by `\n`.
  package var text: String
  /// A whole HTML document without remote resources.
  package var html: String

  package init(subject: String, text: String, html: String) {
    self.subject = subject
    self.text = text
    self.html = html
  }
}

/// Turns an order into the words of a mail.
package protocol MailRenderer: Sendable {
  /// Renders `order` for the tenant with the identifier `tenant` (`dd-ride`), whose own templates win over the
  /// built-in.
  ///
  /// Throws if the order lacks what its kind needs (a link or a code), or a template of the tenant is broken. Trying
  /// again does not help until the cause is mended.
  func render(_ order: MessageOrder, tenant: String) throws -> RenderedMail
}

/// A mailbox with the name shown for it.
package struct MailAddress: Sendable, Equatable {
  /// The name shown, any text on one line.
  package var name: String?
  /// `local@domain`.
  package var address: String

  package init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }
}

/// One message ready for a transport. Made once per order: every retry carries the same `messageID` and `date`, so that
/// a mail delivered twice is recognised (RFC 5322 section 3.6.4).
package struct MailMessage: Sendable, Equatable {
  /// `id@domain` without angle brackets, unique, the same at each retry.
  package var messageID: String
  /// When the message was made (not: when it is tried).
  package var date: Date
  /// The sender that is shown.
  package var from: MailAddress
  /// The address of the envelope, which bounces come back to.
  package var sender: String
  /// The one recipient.
  package var to: MailAddress
  /// Where answers go, when not to `from`.
  package var replyTo: MailAddress?
  /// The words.
  package var mail: RenderedMail
  /// Further header fields by name, in this order. `Auto-Submitted: auto-generated` (RFC 3834) is always there.
  package var headers: [Header]

  /// One header field.
  package struct Header: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    messageID: String, date: Date, from: MailAddress, sender: String, to: MailAddress, replyTo: MailAddress? = nil,
    mail: RenderedMail, headers: [Header] = []
  ) {
    self.messageID = messageID
    self.date = date
    self.from = from
    self.sender = sender
    self.to = to
    self.replyTo = replyTo
    self.mail = mail
    self.headers = headers
  }
}

/// Carries messages away.
package protocol MailTransport: Sendable {
  /// Where messages go, for the log: host and port, or a directory.
  var destination: String { get }

  /// One attempt, bounded in time by the transport's own settings. Never throws: every end is an outcome. Safe to call
  /// from many tasks at once; blocks no thread of the caller's.
  func deliver(_ message: MailMessage) async -> DeliveryOutcome
}

extension RenderedMail: CustomStringConvertible, CustomReflectable {
  package var description: String { "RenderedMail(…)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension MailMessage: CustomStringConvertible, CustomReflectable {
  package var description: String { "MailMessage(<\(messageID)>)" }
  package var customMirror: Mirror { Mirror(self, children: ["messageID": messageID]) }
}
