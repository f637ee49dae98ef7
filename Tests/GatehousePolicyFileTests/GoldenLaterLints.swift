import GatehousePolicyFile

/// P0311 and later, lints. The file `acme.yaml`, and exactly what is said about it.
enum GoldenLaterLints {
  static let cases: [Golden] = [
    Golden(
      .expiredException,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers: {email: {allowed_domains: [acme.example]}}
      exceptions:
        - {email: coach@acme.test, rule: email.allowed_domains, until: 2026-10-31, reason: guest}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:5: warning[P0311]: the exception of coach@acme.test from email.allowed_domains ended with 2026-10-31
          7 |   - {email: coach@acme.test, rule: email.allowed_domains, until: 2026-10-31, reason: guest}
            |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = remove it; it has no effect any more

      """#),
    Golden(
      .redundantRule,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password:
        rules:
          - {id: min8, min_length: 8}
          - {id: min6, min_length: 6}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:7: warning[P0312]: password.min6 has no effect: password.min8 (line 6) requires as much
          7 |     - {id: min6, min_length: 6}
            |       ^~~~~~~~~~~~~~~~~~~~~~~~~

      """#),
    Golden(
      .confirmedByClick,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      verification: {email: {confirm: click}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:33: warning[P0313]: one click on the mail proves the address of an account that its owner may never have made
          5 | verification: {email: {confirm: click}}
            |                                 ^~~~~

      """#),
    Golden(
      .directoryReveals,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      directory: {find_by: [email]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:22: warning[P0315]: users are found by e-mail, and privacy.account_exists: hide keeps from strangers which addresses have an account
          5 | directory: {find_by: [email]}
            |                      ^~~~~~~

      """#),
    Golden(
      .unusedUser,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      users: {alex: {email: a@example.com}, sam: {email: sam@example.com}}
      tests:
        - name: a user is invited
          invite: {as: alex}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:5:39: warning[P0314]: no test starts from user "sam"
          5 | users: {alex: {email: a@example.com}, sam: {email: sam@example.com}}
            |                                       ^~~

      """#),
    Golden(
      .missingLanguage,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, locales: [en, es-MX, de]}
      identifiers: {email: {allowed_domains: {value: [acme.example], message: {en: Use your work address}}}}
      password: {rules: [{id: min8, min_length: 8, message: {en: Eight, es: Ocho, de: Acht}}]}
      profile:
        fields:
          message: {type: string, label: {es: Mensaje, de: Nachricht}}
      messages: {invalid_credentials: {es: Nada coincide}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:64: warning[P0316]: message has no text in es-MX, de
          4 | identifiers: {email: {allowed_domains: {value: [acme.example], message: {en: Use your work address}}}}
            |                                                                ^~~~~~~
            = app.locales lists it; its readers get another language

      acme.yaml:9:12: warning[P0316]: invalid_credentials has no text in en, de
          9 | messages: {invalid_credentials: {es: Nada coincide}}
            |            ^~~~~~~~~~~~~~~~~~~
            = app.locales lists it; its readers get another language

      """#),
    Golden(
      .notAskedAtSignUp,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          team: {type: string, write: admin, at_sign_up: true}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:40: warning[P0317]: sign-up does not ask for team: only an administrator may write it
          7 |     team: {type: string, write: admin, at_sign_up: true}
            |                                        ^~~~~~~~~~
            = leave out at_sign_up, or give the field write: user

      """#),
    Golden(
      .logoElsewhere,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {logo: acme.svg, dark_mode: auto}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:15: warning[P0318]: no page shows "acme.svg": a tenant's logo is not part of its policy
          5 | theme: {logo: acme.svg, dark_mode: auto}
            |               ^~~~~~~~
            = remove the key; gatehouse tenant logo set acme FILE sets the logo

      """#),
    Golden(
      .lowSignInLimit,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      limits: {sign_in_per_account: 10/15m}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:31: warning[P0319]: 10/15m refuses a user who mistypes a password, for up to 15m
          5 | limits: {sign_in_per_account: 10/15m}
            |                               ^~~~~~
            = remove it; wrong passwords in a row are delayed without it, and 100 disable the password

      """#),
    Golden(
      .defaultAdministrator,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}
      admins: {when: {role: member}, may: [list_users]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:6:16: warning[P0320]: every new user is an administrator: role: "member" is what a profile holds by default
          6 | admins: {when: {role: member}, may: [list_users]}
            |                ^~~~~~~~~~~~~~

      """#),
    Golden(
      .selfWrittenClaim,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile: {fields: {team: {type: string, claim: true}}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:48: warning[P0321]: users write team themselves, and claim: true puts it into tokens
          5 | profile: {fields: {team: {type: string, claim: true}}}
            |                                                ^~~~

      """#),
    Golden(
      .uniqueWithoutCharset,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          nick: {type: string, unique: ignore_case}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:34: warning[P0322]: values of nick can look the same and be two: it is unique and has no charset
          7 |     nick: {type: string, unique: ignore_case}
            |                                  ^~~~~~~~~~~

      """#),
    Golden(
      .linkedElsewhere,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, continue: [acme://signed-in]}
      password: {rules: [{id: min8, min_length: 8}]}
      access: {full: {requires: ["linked:spotify"]}}
      providers:
        password: {use: sign_in}
        spotify:
          use: link
          flow: code_pkce
          client_id: acme
          client_secret: {secret: spotify_client}
          redirect_uris: [acme://spotify]
          scopes: [user-read-email]
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:28: warning[P0323]: no browser connects spotify on the hosted pages: no redirect URI of spotify leads there
          5 | access: {full: {requires: ["linked:spotify"]}}
            |                            ^~~~~~~~~~~~~~~~

      """#),
    Golden(
      .wordlessLanguage,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, locales: [en, ar-EG, tlh, pt-BR]}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:3:40: warning[P0324]: Gatehouse has no words in tlh
          3 | app: {name: Acme, locales: [en, ar-EG, tlh, pt-BR]}
            |                                        ^~~
            = it has words in en, es, de, ar; readers of tlh get English pages and mails

      acme.yaml:3:45: warning[P0324]: Gatehouse has no words in pt-BR
          3 | app: {name: Acme, locales: [en, ar-EG, tlh, pt-BR]}
            |                                             ^~~~~
            = it has words in en, es, de, ar; readers of pt-BR get English pages and mails

      """#),
    Golden(
      .rememberedTooLong,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      mfa: {factors: [totp], remember_device: 30d, valid_for: 24h}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:41: warning[P0325]: remember_device (30d) is longer than valid_for (1d)
          5 | mfa: {factors: [totp], remember_device: 30d, valid_for: 24h}
            |                                         ^~~

      """#),
  ]
}
