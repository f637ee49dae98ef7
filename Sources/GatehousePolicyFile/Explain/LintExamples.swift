extension CodeExample {
  /// P0301 to P0327: what a policy may say and probably should not.
  static let lints: [CodeExample] = [
    CodeExample(
      .contradiction, "profile: {fields: {nick: {type: string, min_length: 9, max_length: 3}}}",
      "profile: {fields: {nick: {type: string, min_length: 3, max_length: 9}}}",
      "Correct one of the two bounds, so that some value lies between them."),
    CodeExample(
      .impossible, "identifiers: {email: {allowed_domains: [acme.example], denied_domains: [acme.example]}}",
      "identifiers: {email: {allowed_domains: [acme.example]}}",
      "Loosen the rule, or the other one that the message names, until some value passes."),
    CodeExample(
      .publicSuffix, "identifiers: {email: {allowed_domains: [\"*.edu\"]}}",
      "identifiers: {email: {allowed_domains: [acme.edu, \"*.acme.edu\"]}}",
      "Name the organisations' own domains."),
    CodeExample(
      .freeMail, "identifiers: {email: {allowed_domains: [acme.example, gmail.com]}}",
      "identifiers: {email: {allowed_domains: [acme.example]}}",
      "Remove the domain, and let single people in by exceptions:."),
    CodeExample(
      .compositionWithoutLength, "password: {rules: [{id: upper, require: uppercase}]}",
      "password: {rules: [{id: min8, min_length: 8}, {id: upper, require: uppercase}]}",
      "Add a rule with min_length of 8 or more; consider fifteen and no classes at all."),
    CodeExample(
      .pastStage, "password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2020-03-01}]}",
      "password: {rules: [{id: min8, min_length: 8}]}",
      "Remove enforce and enforce_from: enforcing is the default, and the rule enforces already."),
    CodeExample(
      .warnWithoutDate, "password: {rules: [{id: min8, min_length: 8, enforce: warn}]}",
      "password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2999-03-01}]}",
      "Decide on a day and write enforce_from, or remove the rule."),
    CodeExample(
      .noTests,
      wrong: .file(
        "schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\npassword: {rules: [{id: min8, min_length: 8}]}\n"
      ),
      right: """
        tests:
          - name: seven characters are too few
            sign_up: {email: a@acme.example, password: sevench}
            expect: {ok: false, violations: [password.min8]}
        """,
      fix:
        "Write one test for what is refused and one for what passes; `gatehouse policy test --mutate` names what no test notices."
    ),
    CodeExample(
      .openDoor,
      "password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit, doors: [set_password, reset_password]}]}",
      "password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit}]}",
      "Leave out doors:, or add the doors that the message names."),
    CodeExample(
      .lowContrast, "theme: {primary: \"#FFE680\"}", "theme: {primary: \"#7A5C00\"}",
      "Take a darker colour, or a lighter one where dark_mode is always."),
    CodeExample(
      .expiredException,
      "identifiers: {email: {allowed_domains: [acme.example]}}\nexceptions: [{email: guest@acme.test, rule: email.allowed_domains, until: 2020-12-31, reason: guest}]",
      "identifiers: {email: {allowed_domains: [acme.example]}}\nexceptions: [{email: guest@acme.test, rule: email.allowed_domains, until: 2999-12-31, reason: guest}]",
      "Remove the exception, or give it a new last day."),
    CodeExample(
      .redundantRule, "password: {rules: [{id: min6, min_length: 6}, {id: min8, min_length: 8}]}",
      "password: {rules: [{id: min8, min_length: 8}]}",
      "Remove the rule, or, where it should hold until the other one does, give the other one enforce: warn and a date."
    ),
    CodeExample(
      .confirmedByClick, "verification: {email: {confirm: click}}", "verification: {email: {confirm: account}}",
      "Remove the line, or write account: the page then asks for the account's password in the same form."),
    CodeExample(
      .directoryReveals, "directory: {find_by: [email]}\nprivacy: {account_exists: hide}",
      "directory: {find_by: [email]}\nprivacy: {account_exists: reveal}",
      "Decide which of the two the app needs: let users find each other by username or prefix, or write account_exists: reveal."
    ),
    CodeExample(
      .unusedUser,
      """
      users: {alex: {email: alex@acme.example, password: Long enough 1}, sam: {email: sam@acme.example}}
      tests:
        - name: an address is needed
          sign_up: {as: alex, email: null}
          expect: {ok: false, violations: [email.required]}
      """,
      """
      users: {alex: {email: alex@acme.example, password: Long enough 1}}
      tests:
        - name: an address is needed
          sign_up: {as: alex, email: null}
          expect: {ok: false, violations: [email.required]}
      """, "Remove the user, or start a test from it with as:."),
    CodeExample(
      .missingLanguage,
      "app: {name: Acme, locales: [en, es]}\nmessages: {invalid_credentials: {en: Nothing matches}}",
      "app: {name: Acme, locales: [en, es]}\nmessages: {invalid_credentials: {en: Nothing matches, es: Nada coincide}}",
      "Write the text in the language that the message names."),
    CodeExample(
      .wordlessLanguage, "app: {name: Acme, locales: [en, tlh]}", "app: {name: Acme, locales: [en, es]}",
      "Leave the language out, or add its words to Gatehouse (docs/languages.md)."),
    CodeExample(
      .rememberedTooLong, "mfa: {factors: [totp], remember_device: 30d, valid_for: 24h}",
      "mfa: {factors: [totp], remember_device: 24h, valid_for: 24h}",
      "Remember devices for no longer than valid_for, or let the second factor of a session count for longer."),
    CodeExample(
      .syncedByItsWord, "passkeys: {use: [sign_in], synced: false}", "passkeys: {use: [sign_in]}",
      "Write attestation: direct with the roots of the authenticators that you accept, or leave out synced."),
    CodeExample(
      .syncedUnattested, attested(""), attested("  synced: false\n"),
      "Write synced: false, or leave out attestation: direct."),
    CodeExample(
      .pastRelyingParty,
      "passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.test, until: 2020-01-01}}",
      "passkeys: {use: [sign_in], rp_id: acme.example}", "Remove rp_id_from, or write a later day."),
    CodeExample(
      .offerToNobody, passwordless("use: [sign_in], upgrade: {from: 2027-01-01}"), passwordless("use: [sign_in]"),
      "Remove upgrade, or add password to providers."),
    CodeExample(
      .notAskedAtSignUp, "profile: {fields: {team: {type: string, write: admin, at_sign_up: true}}}",
      "profile: {fields: {team: {type: string, write: user, at_sign_up: true}}}",
      "Leave out at_sign_up, or let users write the field."),
    CodeExample(
      .logoElsewhere, "theme: {logo: acme.svg, dark_mode: auto}", "theme: {dark_mode: auto}",
      "Remove the key, and set the picture with `gatehouse tenant logo set TENANT FILE`."),
    CodeExample(
      .lowSignInLimit, "limits: {sign_in_per_account: 10/15m, sign_in_per_ip: 300/15m}",
      "limits: {sign_in_per_ip: 300/15m}",
      "Remove the limit, or allow thirty attempts or more."),
    CodeExample(
      .defaultAdministrator,
      """
      profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}
      admins: {when: {role: member}, may: [list_users]}
      """,
      """
      profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}
      admins: {when: {role: admin}, may: [list_users]}
      """, "Name a value in admins.when that no account has by default, or change the default."),
    CodeExample(
      .selfWrittenClaim, "profile: {fields: {team: {type: string, claim: true}}}",
      "profile: {fields: {team: {type: string, write: admin, claim: true}}}",
      "Give the field write: admin, or leave out claim: true and let the app read the field with the profile."),
    CodeExample(
      .uniqueWithoutCharset, "profile: {fields: {nick: {type: string, unique: ignore_case}}}",
      "profile: {fields: {nick: {type: string, unique: ignore_case, charset: letters}}}",
      "Add a charset with the characters that a value may have."),
    CodeExample(
      .linkedElsewhere, linkedMusic(""), linkedMusic("https://auth.acme.example/t/acme/v1/links/spotify/callback, "),
      "Add the server's own address, https://HOST/t/TENANT/v1/links/NAME/callback, to redirect_uris, here and at the service; or let the app connect the account."
    ),
  ]

  /// Passkeys of authenticators that a root vouches for. The certificate is cut short.
  private static func attested(_ synced: String) -> String {
    """
    passkeys:
      use: [sign_in]
      attestation: direct
    \(synced)  roots:
        - |
          -----BEGIN CERTIFICATE-----
          MIICljCCAX6gAwIBAgIJ
          -----END CERTIFICATE-----
    """
  }

  /// Passkeys beside a provider, without the password door. The tests of examples that bring a password are not for it.
  private static func passwordless(_ passkeys: String) -> String {
    """
    providers: {google: {use: sign_in, audiences: [acme.apps.example]}}
    passkeys: {\(passkeys)}
    tests:
      - name: an address of the provider's
        sign_up_with: {provider: google, email: person@example.com, email_verified: true}
        expect: {ok: true}
    """
  }

  /// A policy whose full access asks for an account at Spotify, with this redirect URI before the app's own.
  private static func linkedMusic(_ callback: String) -> String {
    """
    app: {name: Acme, continue: [acme://signed-in]}
    access: {full: {requires: ["linked:spotify"]}}
    providers:
      password: {use: sign_in}
      spotify:
        use: link
        flow: code_pkce
        client_id: acme
        client_secret: {secret: spotify_client}
        redirect_uris: [\(callback)acme://spotify]
        scopes: [user-read-email]
    """
  }
}
