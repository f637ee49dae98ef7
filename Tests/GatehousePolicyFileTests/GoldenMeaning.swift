import GatehousePolicyFile

/// P02: what is wrong with the meaning. The file `acme.yaml`, and exactly what is said about it.
enum GoldenMeaning {
  static let cases: [Golden] = [
    Golden(
      .badRuleID,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: Min-8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:4:25: error[P0201]: "id" in password rule "Min-8": expected 1 to 40 of a-z, 0-9 and _, beginning with a letter, got "Min-8"
          4 | password: {rules: [{id: Min-8, min_length: 8}]}
            |                         ^~~~~

      """#),
    Golden(
      .duplicateRuleID,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password:
        rules:
          - {id: min8, min_length: 8}
          - {id: min8, min_length: 9}

      """#,
      #"""
      acme.yaml:7:12: error[P0202]: rule id "password.min8" is used twice
          7 |     - {id: min8, min_length: 9}
            |            ^~~~
            = it was first used on line 6

      """#),
    Golden(
      .ruleWithoutKind,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, enforce: warn}]}

      """#,
      #"""
      acme.yaml:4:25: error[P0203]: this password rule has no condition
          4 | password: {rules: [{id: min8, enforce: warn}]}
            |                         ^~~~
            = give it one of: min_length, max_length, require, not_containing, not_in, min_strength, max_age

      """#),
    Golden(
      .ruleWithTwoKinds,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, require: digit}]}

      """#,
      #"""
      acme.yaml:4:46: error[P0204]: a rule has one condition; this one has min_length and require
          4 | password: {rules: [{id: min8, min_length: 8, require: digit}]}
            |                                              ^~~~~~~
            = make two rules of it, each with its own id

      """#),
    Golden(
      .keyDoesNotApply,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          age: {type: integer, min_length: 2}

      """#,
      #"""
      acme.yaml:7:26: error[P0205]: "min_length" has no meaning for a field of type integer
          7 |     age: {type: integer, min_length: 2}
            |                          ^~~~~~~~~~

      """#),
    Golden(
      .badDefault,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          role: {type: enum, values: [admin, member], default: owner}

      """#,
      #"""
      acme.yaml:7:58: error[P0206]: the default "owner" of field "role" is refused: it is none of admin, member
          7 |     role: {type: enum, values: [admin, member], default: owner}
            |                                                          ^~~~~

      """#),
    Golden(
      .reservedClaim,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          scope: {type: string, claim: true}

      """#,
      #"""
      acme.yaml:7:27: error[P0207]: profile field "scope" can not be a claim: tokens already use this name
          7 |     scope: {type: string, claim: true}
            |                           ^~~~~

      """#),
    Golden(
      .unguardedDoor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers:
        email: {allowed_domains: [ksu.edu], doors: [sign_up]}

      """#,
      #"""
      acme.yaml:6:39: error[P0208]: no rule of identifiers.email guards the doors reset_password, change_email, federated_sign_up, link, admin_create, invite, import
          6 |   email: {allowed_domains: [ksu.edu], doors: [sign_up]}
            |                                       ^~~~~
            = the doors of all its rules together have to cover: sign_up, reset_password, change_email, federated_sign_up, link, admin_create, invite, import

      """#),
    Golden(
      .notAvailable,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      mfa: {policy: required}

      """#,
      #"""
      acme.yaml:5:1: error[P0209]: "mfa" is not available in this version
          5 | mfa: {policy: required}
            | ^~~

      """#),
    Golden(
      .notAvailable,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      access: {full: {requires: [mfa]}}

      """#,
      #"""
      acme.yaml:5:28: error[P0209]: "mfa" is not available in this version
          5 | access: {full: {requires: [mfa]}}
            |                            ^~~

      """#),
    Golden(
      .secretInFile,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      providers:
        google: {use: sign_in, client_id: abc, client_secret: hunter2}

      """#,
      #"""
      acme.yaml:6:57: error[P0210]: "client_secret" in provider "google": a secret may not stand in the file
          6 |   google: {use: sign_in, client_id: abc, client_secret: *******}
            |                                                         ^~~~~~~
            = put it in the server's store and write {secret: NAME}

      """#),
    Golden(
      .aboveCeiling,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      verification: {email: {link_ttl: 48h, code_ttl: 15m}}

      """#,
      #"""
      acme.yaml:5:34: error[P0211]: a link that opens an account may live at most 24h, not 48h
          5 | verification: {email: {link_ttl: 48h, code_ttl: 15m}}
            |                                  ^~~
            = NIST SP 800-63B, OWASP ASVS 6.5: what recovers an account must not lie around

      acme.yaml:5:49: error[P0211]: a six-digit code may live at most 10m, not 15m
          5 | verification: {email: {link_ttl: 48h, code_ttl: 15m}}
            |                                                 ^~~
            = NIST SP 800-63B, OWASP ASVS 6.5: what recovers an account must not lie around

      """#),
    Golden(
      .dateWithoutWarn,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce_from: 2027-03-01}]}

      """#,
      #"""
      acme.yaml:4:46: error[P0212]: enforce_from needs enforce: warn
          4 | password: {rules: [{id: min8, min_length: 8, enforce_from: 2027-03-01}]}
            |                                              ^~~~~~~~~~~~
            = until the date the rule warns; from then on it enforces by itself

      """#),
    Golden(
      .unknownRequirement,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      access: {full: {requires: [email_verifed]}}

      """#,
      #"""
      acme.yaml:5:28: error[P0213]: "requires" in access.full: expected email_verified, "linked:PROVIDER" or "profile:FIELD", got "email_verifed"
          5 | access: {full: {requires: [email_verifed]}}
            |                            ^~~~~~~~~~~~~
            = did you mean "email_verified"?

      """#),
    Golden(
      .unknownField,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: own, not_containing: [email, nmae]}]}
      profile: {fields: {name: {type: string}}}

      """#,
      #"""
      acme.yaml:4:54: error[P0214]: no profile field "nmae"
          4 | password: {rules: [{id: own, not_containing: [email, nmae]}]}
            |                                                      ^~~~
            = did you mean "name"?
            = there is: email, name

      """#),
    Golden(
      .unknownProvider,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      providers: {password: {use: sign_in}}
      access: {full: {requires: ["linked:spotify"]}}

      """#,
      #"""
      acme.yaml:6:28: error[P0215]: no provider "spotify" to link
          6 | access: {full: {requires: ["linked:spotify"]}}
            |                            ^~~~~~~~~~~~~~~~

      """#),
    Golden(
      .badFieldName,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          email: {type: string}

      """#,
      #"""
      acme.yaml:7:5: error[P0216]: a profile field can not be called "email"
          7 |     email: {type: string}
            |     ^~~~~

      """#),
    Golden(
      .badDomain,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers: {email: {allowed_domains: [ksu_edu]}}

      """#,
      #"""
      acme.yaml:5:41: error[P0217]: "allowed_domains" in identifiers.email: expected a domain such as ksu.edu or "*.ksu.edu", got "ksu_edu"
          5 | identifiers: {email: {allowed_domains: [ksu_edu]}}
            |                                         ^~~~~~~

      """#),
    Golden(
      .badURL,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, continue: ["javascript://alert"]}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:3:30: error[P0218]: "continue" in app: expected an https address or an app's own scheme such as myapp://callback, without a fragment, got "javascript://alert"
          3 | app: {name: Acme, continue: ["javascript://alert"]}
            |                              ^~~~~~~~~~~~~~~~~~~~

      """#),
    Golden(
      .lifetimesDisagree,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions: {access_token_ttl: 24h, refresh_idle_ttl: 1h}

      """#,
      #"""
      acme.yaml:5:30: error[P0219]: access_token_ttl (1d) is longer than refresh_idle_ttl (1h)
          5 | sessions: {access_token_ttl: 24h, refresh_idle_ttl: 1h}
            |                              ^~~

      """#),
    Golden(
      .unknownRule,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      exceptions:
        - {email: a@example.com, rule: email.alowed_domains, until: 2026-12-31, reason: guest}
      identifiers: {email: {allowed_domains: [ksu.edu]}}

      """#,
      #"""
      acme.yaml:6:34: error[P0220]: no rule "email.alowed_domains"
          6 |   - {email: a@example.com, rule: email.alowed_domains, until: 2026-12-31, reason: guest}
            |                                  ^~~~~~~~~~~~~~~~~~~~
            = did you mean "email.allowed_domains"?
            = there is: email.required, email.syntax, email.allowed_domains, password.required, password.max_length, password.min8

      """#),
    Golden(
      .badColour,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {primary: "#51288"}

      """#,
      #"""
      acme.yaml:5:18: error[P0221]: "primary" in theme: expected a colour such as "#512888", got "#51288"
          5 | theme: {primary: "#51288"}
            |                  ^~~~~~~~

      """#),
    Golden(
      .selfMadeAdmin,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          role: {type: enum, values: [admin, member], default: member}
      admins: {when: {role: admin}, may: [list_users]}

      """#,
      #"""
      acme.yaml:8:17: error[P0222]: field "role" is written by people themselves, so anybody could become an administrator
          8 | admins: {when: {role: admin}, may: [list_users]}
            |                 ^~~~
            = give the field write: admin

      """#),
  ]
}
