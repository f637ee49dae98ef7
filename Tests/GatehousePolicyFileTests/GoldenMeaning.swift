import GatehousePolicyFile

/// P02, rules and fields that do not mean anything, or not what they should. The file `acme.yaml`, and exactly what is
/// said about it.
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
            = give it one of: min_length, max_length, require, not_containing, not_in, min_strength, not_last, max_age

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
      acme.yaml:7:58: error[P0206]: the default "owner" of field "role" is refused: it is not one of admin, member
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
      identifiers: {sign_in_with: [email], phone: {}}

      """#,
      #"""
      acme.yaml:5:38: error[P0209]: "phone" is not available in this version
          5 | identifiers: {sign_in_with: [email], phone: {}}
            |                                      ^~~~~

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
            = write mfa: {factors: [totp], required_if: [{id: all}]}, which demands one of all users

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
            = NIST SP 800-63B, OWASP ASVS 6.5: a link or code that opens an account must be short-lived

      acme.yaml:5:49: error[P0211]: a six-digit code may live at most 10m, not 15m
          5 | verification: {email: {link_ttl: 48h, code_ttl: 15m}}
            |                                                 ^~~
            = NIST SP 800-63B, OWASP ASVS 6.5: a link or code that opens an account must be short-lived

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
  ]
}
