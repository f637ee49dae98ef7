package import GatehousePolicy

/// The public half of a tenant's policy: all that a form needs to check itself as the server will.
package struct PublicPolicy: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// The revision in force.
  package var revision: Int
  /// SHA-256 of the policy's text, in hexadecimal.
  package var digest: String
  /// The app.
  package var app: App
  /// Profile fields in the file's order.
  package var fields: [Field]
  /// Rules in the file's order.
  package var rules: [Rule]
  /// The identifiers that people sign in with. Absent from servers of earlier versions.
  package var identifiers: Identifiers?
  /// For password managers.
  package var password: Password
  /// Ways to sign in or to link.
  package var providers: [Provider]
  /// The verification of addresses.
  package var verification: Verification
  /// The requirements of full access.
  package var access: Access
  /// The directory of users; nil: users cannot find each other.
  package var directory: Directory?
  /// Where the app has to attest itself; nil: nowhere.
  package var attest: Attest?
  /// Second factors that people may add; nil: none.
  package var mfa: SecondFactors?
  /// The places of passkeys in sign-ins; nil: people can add none.
  package var passkeys: Passkeys?
  /// The looks of the app.
  package var theme: Theme
  /// Languages, the app's first one first.
  package var languages: [String]

  package init(
    tenant: String, revision: Int, digest: String, app: App, fields: [Field], rules: [Rule],
    identifiers: Identifiers? = nil, password: Password, providers: [Provider], verification: Verification,
    access: Access, directory: Directory? = nil, attest: Attest? = nil, mfa: SecondFactors? = nil,
    passkeys: Passkeys? = nil, theme: Theme, languages: [String]
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
    self.mfa = mfa
    self.passkeys = passkeys
    self.theme = theme
    self.languages = languages
  }

  /// The app.
  package struct App: Codable, Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Where people get help.
    package var supportEmail: String?

    package init(name: String, supportEmail: String? = nil) { (self.name, self.supportEmail) = (name, supportEmail) }
  }

  /// One profile field.
  package struct Field: Codable, Hashable, Sendable {
    /// The tenant's own name for it.
    package var name: String
    /// The field as people read it. Absent from servers before it.
    package var label: String?
    /// The type of its values.
    package var type: String
    /// Whether a value is needed.
    package var required: Bool
    /// Whether a form of a sign-up asks for it: users may write it, and it is required or the policy says
    /// `at_sign_up`. Absent from servers before it.
    package var atSignUp: Bool?
    /// Whether invisible characters are cut off at both ends.
    package var trim: Bool
    /// Of a string: whether it may have several lines. Absent from servers before it, which take any text.
    package var multiline: Bool?
    /// Stored when none is given.
    package var defaultValue: FieldValue?
    /// Of an enum.
    package var values: [String]?
    /// Values as people read them, by value: those of an enum, and others that the policy names. Absent from servers
    /// before it.
    package var labels: [String: String]?
    /// The writers of the field.
    package var write: String
    /// The readers of the field.
    package var visibleTo: String
    /// Of a phone: the region (ISO 3166) that national numbers are read in, as `US`.
    package var region: String?
    /// Of a phone: `length`, `valid` or `warn`, as the policy's `check:`.
    package var phoneCheck: String?
    /// `true` or `ignore_case`, as the policy's `unique:`, where no two accounts have the same value.
    package var unique: String?

    package init(
      name: String, label: String? = nil, type: String, required: Bool, atSignUp: Bool? = nil, trim: Bool,
      multiline: Bool? = nil, defaultValue: FieldValue? = nil, values: [String]? = nil,
      labels: [String: String]? = nil, write: String,
      visibleTo: String,
      region: String? = nil, phoneCheck: String? = nil, unique: String? = nil
    ) {
      self.name = name
      self.label = label
      self.type = type
      self.required = required
      self.atSignUp = atSignUp
      self.trim = trim
      self.multiline = multiline
      self.defaultValue = defaultValue
      self.values = values
      self.labels = labels
      self.write = write
      self.visibleTo = visibleTo
      self.region = region
      self.phoneCheck = phoneCheck
      self.unique = unique
    }

    enum CodingKeys: String, CodingKey {
      case name, label, type, required, atSignUp, trim, multiline, values, labels, write, region, unique, phoneCheck
      case defaultValue = "default"
      case visibleTo
    }
  }

  /// One rule.
  package struct Rule: Codable, Hashable, Sendable {
    /// Never changes its meaning.
    package var id: String
    /// The kind of the rule, as `min_length`.
    package var kind: String
    /// Where the value stands in a sign-up.
    package var pointer: String
    /// The parameters of the rule.
    package var params: [String: ParameterValue]
    /// For a person, as a row of a checklist.
    package var message: String
    /// The same as a sentence that stands alone, `Password must be at least 6 characters.` Earlier servers say none.
    package var sentence: String?
    /// `warn` or `enforce`.
    package var enforce: String
    /// Where it binds, as `sign_up`: the doors that a client can go through. Absent from servers before it.
    package var doors: [String]?
    /// Whether the policy excepts some address from it today: only the server can tell whether this one. Absent from
    /// servers before it.
    package var hasExceptions: Bool?
    /// With `warn`: the day it begins to bind.
    package var enforceFrom: String?
    /// Only the server can tell.
    package var checkedOnSubmit: Bool

    package init(
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
  }

  /// The identifiers that people sign in with.
  package struct Identifiers: Codable, Hashable, Sendable {
    /// Addresses.
    package var email: Email?

    package init(email: Email?) { self.email = email }

    /// The normalisation of addresses.
    package struct Email: Codable, Hashable, Sendable {
      /// `lowercase`, or `none`, where the local part is kept as given and the domain alone is in lower case.
      package var normalize: String?

      package init(normalize: String?) { self.normalize = normalize }
    }
  }

  /// For password managers.
  package struct Password: Codable, Hashable, Sendable {
    /// The `passwordrules` attribute.
    package var passwordrules: String

    package init(passwordrules: String) { self.passwordrules = passwordrules }
  }

  /// A way to sign in or to link.
  package struct Provider: Codable, Hashable, Sendable {
    /// Its name.
    package var name: String
    /// `sign_in` or `link`.
    package var use: String

    package init(name: String, use: String) { (self.name, self.use) = (name, use) }
  }

  /// The verification of addresses.
  package struct Verification: Codable, Hashable, Sendable {
    /// `link`, `code` or `link_and_code`.
    package var method: String
    /// Seconds between two mails.
    package var resendAfter: Int
    /// Whether sign-up sends the mail.
    package var onSignUp: Bool

    package init(method: String, resendAfter: Int, onSignUp: Bool) {
      (self.method, self.resendAfter, self.onSignUp) = (method, resendAfter, onSignUp)
    }
  }

  /// The requirements of full access.
  package struct Access: Codable, Hashable, Sendable {
    /// Requirements that bind today.
    package var full: [String]

    package init(full: [String]) { self.full = full }
  }

  /// The directory of users.
  package struct Directory: Codable, Hashable, Sendable {
    /// Of `email`, `username` and `prefix`: the members that `GET /v1/users` takes.
    package var findBy: [String]
    /// The profile fields that `prefix` looks at.
    package var prefixOf: [String]

    package init(findBy: [String], prefixOf: [String]) { (self.findBy, self.prefixOf) = (findBy, prefixOf) }
  }

  /// Where the app has to attest itself (App Attest).
  package struct Attest: Codable, Hashable, Sendable {
    /// Doors that demand it: `sign_up`, `sign_in`. A sign-in by a provider demands it where one of them does.
    package var doors: [String]
    /// `development` or `production`: the environment of the app's entitlement.
    package var environment: String

    package init(doors: [String], environment: String) { (self.doors, self.environment) = (doors, environment) }
  }

  /// Second factors.
  package struct SecondFactors: Codable, Hashable, Sendable {
    /// The kinds that people may add: `totp`, `passkey`.
    package var factors: [String]

    package init(factors: [String]) { self.factors = factors }
  }

  /// Passkeys.
  package struct Passkeys: Codable, Hashable, Sendable {
    /// `sign_in`: a passkey opens a session by itself; `second_factor`: it is asked for after another proof.
    package var use: [String]

    package init(use: [String]) { self.use = use }
  }

  /// The looks of the app.
  package struct Theme: Codable, Hashable, Sendable {
    /// Where clients fetch the app's logo, an SVG or a PNG; absent without one.
    package var logo: String?
    /// `#rrggbb`.
    package var primary: String?
    /// `auto`, `always` or `never`.
    package var darkMode: String
    /// Where clients fetch the logo for dark ground; absent without one.
    package var logoDark: String?
    /// The height of the logo in pixels. This and what follows is absent from older servers.
    package var logoSize: Int?
    /// `start` or `center`.
    package var logoPlace: String?
    /// Whether the logo spells the app's name.
    package var wordmark: Bool?
    /// `plain`, `tint` or `picture`.
    package var ground: String?
    /// Where clients fetch the picture behind the pages; absent without one.
    package var groundPicture: String?
    /// The radius of buttons and fields in pixels.
    package var radius: Int?
    /// `system`, `serif`, `rounded` or `mono`.
    package var font: String?
    /// `white`, `black` or `neutral`.
    package var providerButtons: String?
    /// The terms of service; absent where the policy names none.
    package var termsURL: String?
    /// The privacy policy; absent where the policy names none.
    package var privacyURL: String?

    package init(
      logo: String? = nil, primary: String? = nil, darkMode: String, logoDark: String? = nil, logoSize: Int? = nil,
      logoPlace: String? = nil, wordmark: Bool? = nil, ground: String? = nil, groundPicture: String? = nil,
      radius: Int? = nil, font: String? = nil, providerButtons: String? = nil, termsURL: String? = nil,
      privacyURL: String? = nil
    ) {
      (self.logo, self.primary, self.darkMode) = (logo, primary, darkMode)
      (self.logoDark, self.logoSize, self.logoPlace) = (logoDark, logoSize, logoPlace)
      (self.wordmark, self.ground, self.groundPicture) = (wordmark, ground, groundPicture)
      (self.radius, self.font, self.providerButtons) = (radius, font, providerButtons)
      (self.termsURL, self.privacyURL) = (termsURL, privacyURL)
    }
  }
}
