/// One difference between two policies.
public struct PolicyDifference: Codable, Hashable, Sendable {
  /// `stricter`, `weaker`, `neutral` or `incomparable`.
  public var relation: String
  /// A rule's id, or the path of a setting.
  public var subject: String
  /// What it means.
  public var sentence: String
  /// Where it stood.
  public var oldLine: Int?
  /// Where it stands.
  public var newLine: Int?

  /// The whole of it.
  public init(relation: String, subject: String, sentence: String, oldLine: Int? = nil, newLine: Int? = nil) {
    self.relation = relation
    self.subject = subject
    self.sentence = sentence
    self.oldLine = oldLine
    self.newLine = newLine
  }

  enum CodingKeys: String, CodingKey {
    case relation, subject, sentence
    case oldLine = "old_line"
    case newLine = "new_line"
  }
}

/// What a file would change, and whether that is stricter or weaker.
public enum DiffPolicyOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy/diff"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// How body and revision travel.
  public static let form = AdminForm.text
  /// What it does.
  public static let summary = "Compare a policy file with the live policy"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The policy file's exact text.
    public var text: String
    /// What messages call the file.
    public var file: String?

    /// The whole of it.
    public init(tenant: String, text: String, file: String? = nil) {
      self.tenant = tenant
      self.text = text
      self.file = file
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The revision it was compared with.
    public var revision: Int
    /// In the order of the text; none where they mean the same.
    public var items: [PolicyDifference]
    /// What would keep the file from being applied; absent where there is nothing.
    public var notes: [String]?

    /// The whole of it.
    public init(revision: Int, items: [PolicyDifference], notes: [String]? = nil) {
      self.revision = revision
      self.items = items
      self.notes = notes
    }
  }
}
