package import GatehousePolicy

/// One test of a policy file: a request at a door, and the outcome that it must have.
package struct PolicyFileTest: Sendable {
  /// One run: the test with one member of `each` put in.
  package struct Case: Sendable {
    /// The member of `each` as text, nil where the test has none.
    package let member: String?
    package let door: Door
    package let facts: Facts
    /// Values that another account holds, by field.
    package var taken: [String: FieldValue] = [:]
    /// How long ago the stored account's password was set, in seconds; nil: just now.
    package var passwordAge: Int64?
    /// How long ago the account's first session under a demand for a second factor was, in seconds; nil: none was.
    package var mfaAsked: Int64?
    /// The stored account's passwords, the present one first, as far as the test says them.
    package var lastPasswords: [String] = []
    /// Whether the request comes from an attested app.
    package var isAttested = true
    package let expect: Expectation
  }

  package let name: String
  /// The day the test is about, its own or that of `tests_at`; nil: the outcome may not depend on the day.
  package let at: Day?
  package let cases: [Case]
  /// Where the test stands.
  package let range: SourceRange
  /// Its expectation as it is written, with the place of every value.
  package let expectNode: Node

  /// Where its expectation stands.
  package var expectRange: SourceRange { expectNode.range }
}

/// The expectations of a test. A member that is nil is not checked.
package struct Expectation: Sendable, Equatable {
  package var ok: Bool?
  package var violations: ExpectedIDs?
  package var warnings: ExpectedIDs?
  package var access: Access?
  /// Whether the person administers the tenant afterwards.
  package var admin: Bool?
  package var next: ExpectedIDs?
  /// Kinds of second factors.
  package var challenge: ExpectedIDs?
  /// Steps that nothing waits for.
  package var offers: ExpectedIDs?
  package var storedEmail: String?
  /// Compared on these fields only.
  package var storedProfile: [String: FieldValue] = [:]

  /// Whether a list of ids is exactly what is expected, in order; an id with `*` stands for one or more of its family.
  package static func matches(_ expected: [String], _ found: [String]) -> Bool { Family.matches(expected, found) }
}
