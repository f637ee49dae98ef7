public import GatehousePolicy

/// The public half of a tenant's policy: all that a form needs to check itself as the server will.
public struct PublicPolicy: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String
  /// The revision in force.
  public var revision: Int
  /// SHA-256 of the policy's text, in hexadecimal.
  public var digest: String
  /// The app.
  public var app: App
  /// Profile fields in the file's order.
  public var fields: [Field]
  /// Rules in the file's order.
  public var rules: [Rule]
  /// What people sign in with. Absent from servers before it.
  public var identifiers: Identifiers?
  /// For password managers.
  public var password: Password
  /// Ways to sign in or to link.
  public var providers: [Provider]
  /// How addresses are proven.
  public var verification: Verification
  /// What full access requires.
  public var access: Access
  /// How users find each other; nil: not at all.
  public var directory: Directory?
  /// Where the app has to attest itself; nil: nowhere.
  public var attest: Attest?
  /// Colours and logo.
  public var theme: Theme
  /// Languages, the app's first one first.
  public var languages: [String]

  /// The whole of it.
  public init(
    tenant: String, revision: Int, digest: String, app: App, fields: [Field], rules: [Rule],
    identifiers: Identifiers? = nil, password: Password, providers: [Provider], verification: Verification,
    access: Access, directory: Directory? = nil, attest: Attest? = nil, theme: Theme, languages: [String]
  ) {
    self.tenant = tenant
    self.revision = revision
    self.digest = digest
    self.app = app
    self.fields = fields
    self.rules = rules
    self.identifiers = identifiers
    self.password = password
    self.providers = providers
    self.verification = verification
    self.access = access
    self.directory = directory
    self.attest = attest
    self.theme = theme
    self.languages = languages
  }

  /// The app.
  public struct App: Codable, Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Where people get help.
    public var supportEmail: String?

    /// The whole of it.
    public init(name: String, supportEmail: String? = nil) {
      self.name = name
      self.supportEmail = supportEmail
    }

    enum CodingKeys: String, CodingKey {
      case name
      case supportEmail = "support_email"
    }
  }

  /// One profile field.
  public struct Field: Codable, Hashable, Sendable {
    /// The tenant's own name for it.
    public var name: String
    /// What it holds.
    public var type: String
    /// Whether a value is needed.
    public var required: Bool
    /// Whether spaces at both ends are cut off.
    public var trim: Bool
    /// Stored when none is given.
    public var defaultValue: FieldValue?
    /// Of an enum.
    public var values: [String]?
    /// Who may write it.
    public var write: String
    /// Who may see it.
    public var visibleTo: String
    /// Of a phone: the region (ISO 3166) that national numbers are read in, as `US`.
    public var region: String?
    /// Of a phone: `length` or `valid`, as the policy's `check:`.
    public var phoneCheck: String?
    /// `true` or `ignore_case`, as the policy's `unique:`, where no two accounts have the same value.
    public var unique: String?

    /// The whole of it.
    public init(
      name: String, type: String, required: Bool, trim: Bool, defaultValue: FieldValue? = nil, values: [String]? = nil,
      write: String, visibleTo: String, region: String? = nil, phoneCheck: String? = nil, unique: String? = nil
    ) {
      self.name = name
      self.type = type
      self.required = required
      self.trim = trim
      self.defaultValue = defaultValue
      self.values = values
      self.write = write
      self.visibleTo = visibleTo
      self.region = region
      self.phoneCheck = phoneCheck
      self.unique = unique
    }

    enum CodingKeys: String, CodingKey {
      case name, type, required, trim, values, write, region, unique
      case phoneCheck = "phone_check"
      case defaultValue = "default"
      case visibleTo = "visible_to"
    }
  }

  /// One rule.
  public struct Rule: Codable, Hashable, Sendable {
    /// Never changes its meaning.
    public var id: String
    /// What kind of rule, as `min_length`.
    public var kind: String
    /// Where the value stands in a sign-up.
    public var pointer: String
    /// What it asks for.
    public var params: [String: ParameterValue]
    /// For a person, as a row of a checklist.
    public var message: String
    /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
    public var sentence: String?
    /// `warn` or `enforce`.
    public var enforce: String
    /// With `warn`: the day it begins to bind.
    public var enforceFrom: String?
    /// Only the server can tell.
    public var checkedOnSubmit: Bool
    /// Where it binds, as `sign_up`: the doors that a client can go through. Absent from servers before it.
    public var doors: [String]?
    /// Whether the policy excepts some address from it today: only the server can tell whether this one. Absent from servers before it.
    public var hasExceptions: Bool?

    /// The whole of it.
    public init(
      id: String, kind: String, pointer: String, params: [String: ParameterValue], message: String,
      sentence: String? = nil, enforce: String, enforceFrom: String? = nil, checkedOnSubmit: Bool,
      doors: [String]? = nil, hasExceptions: Bool? = nil
    ) {
      self.id = id
      self.kind = kind
      self.pointer = pointer
      self.params = params
      self.message = message
      self.sentence = sentence
      self.enforce = enforce
      self.enforceFrom = enforceFrom
      self.checkedOnSubmit = checkedOnSubmit
      self.doors = doors
      self.hasExceptions = hasExceptions
    }

    enum CodingKeys: String, CodingKey {
      case id, kind, pointer, params, message, sentence, enforce, doors
      case hasExceptions = "has_exceptions"
      case enforceFrom = "enforce_from"
      case checkedOnSubmit = "checked_on_submit"
    }
  }

  /// What people sign in with.
  public struct Identifiers: Codable, Hashable, Sendable {
    /// Addresses.
    public var email: Email?

    /// The whole of it.
    public init(email: Email?) {
      self.email = email
    }

    /// How addresses are taken.
    public struct Email: Codable, Hashable, Sendable {
      /// `lowercase`, or `none`, where the local part is kept as given and the domain alone is in lower case.
      public var normalize: String?

      /// The whole of it.
      public init(normalize: String?) {
        self.normalize = normalize
      }
    }
  }

  /// For password managers.
  public struct Password: Codable, Hashable, Sendable {
    /// The `passwordrules` attribute.
    public var passwordrules: String

    /// The whole of it.
    public init(passwordrules: String) {
      self.passwordrules = passwordrules
    }
  }

  /// A way to sign in or to link.
  public struct Provider: Codable, Hashable, Sendable {
    /// Its name.
    public var name: String
    /// `sign_in` or `link`.
    public var use: String

    /// The whole of it.
    public init(name: String, use: String) {
      self.name = name
      self.use = use
    }
  }

  /// How addresses are proven.
  public struct Verification: Codable, Hashable, Sendable {
    /// `link`, `code` or `link_and_code`.
    public var method: String
    /// Seconds between two mails.
    public var resendAfter: Int
    /// Whether sign-up sends the mail.
    public var onSignUp: Bool

    /// The whole of it.
    public init(method: String, resendAfter: Int, onSignUp: Bool) {
      self.method = method
      self.resendAfter = resendAfter
      self.onSignUp = onSignUp
    }

    enum CodingKeys: String, CodingKey {
      case method
      case resendAfter = "resend_after"
      case onSignUp = "on_sign_up"
    }
  }

  /// What full access requires.
  public struct Access: Codable, Hashable, Sendable {
    /// Requirements that bind today.
    public var full: [String]

    /// The whole of it.
    public init(full: [String]) {
      self.full = full
    }
  }

  /// How users find each other.
  public struct Directory: Codable, Hashable, Sendable {
    /// Of `email`, `username` and `prefix`: the members that `GET /v1/users` takes.
    public var findBy: [String]
    /// The profile fields that `prefix` looks at.
    public var prefixOf: [String]

    /// The whole of it.
    public init(findBy: [String], prefixOf: [String]) {
      self.findBy = findBy
      self.prefixOf = prefixOf
    }

    enum CodingKeys: String, CodingKey {
      case findBy = "find_by"
      case prefixOf = "prefix_of"
    }
  }

  /// Where the app has to attest itself (App Attest).
  public struct Attest: Codable, Hashable, Sendable {
    /// Doors that demand it: `sign_up`, `sign_in`. A sign-in by a provider demands it where one of them does.
    public var doors: [String]
    /// `development` or `production`: the environment of the app's entitlement.
    public var environment: String

    /// The whole of it.
    public init(doors: [String], environment: String) {
      self.doors = doors
      self.environment = environment
    }
  }

  /// Colours and logo.
  public struct Theme: Codable, Hashable, Sendable {
    /// A file name.
    public var logo: String?
    /// `#rrggbb`.
    public var primary: String?
    /// `auto`, `always` or `never`.
    public var darkMode: String

    /// The whole of it.
    public init(logo: String? = nil, primary: String? = nil, darkMode: String) {
      self.logo = logo
      self.primary = primary
      self.darkMode = darkMode
    }

    enum CodingKeys: String, CodingKey {
      case logo, primary
      case darkMode = "dark_mode"
    }
  }
}
