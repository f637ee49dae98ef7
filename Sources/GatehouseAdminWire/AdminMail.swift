import GatehouseWire

// Mail, as operations of the admin API.

/// A mail as it would be sent, with made-up names, link and code.
package enum PreviewMailOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/mails/{kind}", .policyRead, "Preview a mail")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The kind of the mail, as `verify_email`.
    package var kind: String
    /// The reader's language; the app's first without.
    package var language: String?

    package init(tenant: String, kind: String, language: String? = nil) {
      (self.tenant, self.kind, self.language) = (tenant, kind, language)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// One line.
    package var subject: String
    /// The text part.
    package var text: String
    /// The HTML part.
    package var html: String

    package init(subject: String, text: String, html: String) {
      (self.subject, self.text, self.html) = (subject, text, html)
    }
  }
}

/// Sends a mail with made-up contents at once, past the outbox. Refused with what the mail server said.
package enum SendTestMailOperation: AdminOperation {
  package static let row = AdminOperationRow(.post, "/tenants/{tenant}/mails/test", .tenantWrite, "Send a test mail")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The recipient.
    package var address: String
    /// The kind of mail; `test` if absent.
    package var kind: String?
    /// Only connect and sign in to the mail server.
    package var dryRun: Bool?

    package init(tenant: String, address: String, kind: String? = nil, dryRun: Bool? = nil) {
      (self.tenant, self.address, self.kind, self.dryRun) = (tenant, address, kind, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The answer of the mail server; may be empty.
    package var detail: String

    package init(detail: String) { self.detail = detail }
  }
}
