package import Foundation
package import GatehousePolicy

extension PublicPolicy {
  /// Addresses of the pictures that an operator set.
  package struct Pictures: Sendable {
    package var logo: String?
    package var logoDark: String?
    package var ground: String?

    package init(logo: String? = nil, logoDark: String? = nil, ground: String? = nil) {
      (self.logo, self.logoDark, self.ground) = (logo, logoDark, ground)
    }
  }

  /// The part of a policy that a form needs, in one language, at a moment.
  package init(
    _ policy: Policy, of tenant: String, revision: Int, digest: String, pictures: Pictures = Pictures(),
    language: String, at now: Date
  ) {
    let verification = policy.verification.email
    self.init(
      tenant: tenant, revision: revision, digest: digest,
      app: App(name: policy.app.name, supportEmail: policy.app.supportEmail),
      fields: policy.publicFields.map { Field($0, language: language) },
      rules: policy.publicRules(at: now).map { rule in
        Rule(
          id: rule.id, kind: rule.kind, pointer: rule.pointer, params: rule.params,
          message: rule.message.text(in: [language]) ?? rule.id, sentence: rule.sentence.text(in: [language]),
          enforce: rule.enforce.rawValue, enforceFrom: rule.enforceFrom?.description,
          checkedOnSubmit: rule.checkedOnSubmit, doors: rule.doors.map(\.rawValue), hasExceptions: rule.hasExceptions)
      },
      identifiers: Identifiers(email: Identifiers.Email(normalize: policy.identifiers.email.normalize.rawValue)),
      password: Password(passwordrules: policy.passwordRules(at: now)),
      providers: policy.providers.map { Provider(name: $0.name, use: $0.use.rawValue) },
      verification: Verification(
        method: verification.method.rawValue, resendAfter: Int(verification.resendCooldown),
        onSignUp: verification.onSignUp),
      access: Access(full: policy.access.full.filter { $0.enforcement.mode(at: now) == .enforce }.map(\.need.text)),
      directory: policy.directory.map { Directory(findBy: $0.findBy.map(\.rawValue), prefixOf: $0.prefixOf) },
      attest: policy.attest.map { Attest(doors: $0.doors.map(\.rawValue), environment: $0.ios.environment.rawValue) },
      mfa: policy.mfa.map { SecondFactors(factors: $0.factors.map(\.rawValue)) },
      passkeys: policy.passkeys.map { Passkeys(use: $0.use.map(\.rawValue)) },
      theme: Theme(policy.theme, pictures),
      languages: policy.app.locales)
  }
}

extension PublicPolicy.Theme {
  fileprivate init(_ theme: GatehousePolicy.Theme, _ pictures: PublicPolicy.Pictures) {
    self.init(
      logo: pictures.logo, primary: theme.primary, darkMode: theme.darkMode.rawValue, logoDark: pictures.logoDark,
      logoSize: Int(theme.logoSize), logoPlace: theme.logoPlace.rawValue, wordmark: theme.wordmark,
      ground: theme.ground.rawValue, groundPicture: pictures.ground, radius: Int(theme.radius),
      font: theme.font.rawValue, providerButtons: theme.providerButtons.rawValue, termsURL: theme.termsURL,
      privacyURL: theme.privacyURL)
  }
}

extension PublicPolicy.Field {
  fileprivate init(_ field: PublicField, language: String) {
    self.init(
      name: field.name, label: field.label.text(in: [language]) ?? field.name, type: field.type.rawValue,
      required: field.isRequired, atSignUp: field.atSignUp, trim: field.trim,
      multiline: field.multiline, defaultValue: field.defaultValue, values: field.values.isEmpty ? nil : field.values,
      labels: field.valueLabels.isEmpty
        ? nil : field.valueLabels.reduce(into: [:]) { $0[$1.key] = $1.value.text(in: [language]) ?? $1.key },
      write: field.write.rawValue, visibleTo: field.visibleTo.rawValue, region: field.region,
      phoneCheck: field.phoneCheck?.rawValue, unique: field.unique?.rawValue)
  }
}
