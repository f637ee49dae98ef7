import GatehousePolicyFile

/// P02, names that mean nothing, or the wrong thing. The file `acme.yaml`, and exactly what is said about it.
enum GoldenReferences {
  static let cases: [Golden] = [
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
            = allowed: email, name

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
      .lifetimesDisagree,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions: {page_idle_ttl: 2d, page_max_ttl: 1d}

      """#,
      #"""
      acme.yaml:5:27: error[P0219]: page_idle_ttl (2d) is longer than page_max_ttl (1d)
          5 | sessions: {page_idle_ttl: 2d, page_max_ttl: 1d}
            |                           ^~

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
            = allowed: email.required, email.syntax, email.allowed_domains, email.plain_local_part, password.required, password.syntax, password.max_length, password.min8

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
      acme.yaml:8:17: error[P0222]: any user may write field "role", and so become an administrator
          8 | admins: {when: {role: admin}, may: [list_users]}
            |                 ^~~~
            = give the field write: admin

      """#),
    Golden(
      .hiddenClaim,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          risk: {type: string, write: admin, visible_to: admin, claim: true}

      """#,
      #"""
      acme.yaml:7:59: error[P0223]: profile field "risk" can not be a claim: the person's app reads the token, and only administrators see the field
          7 |     risk: {type: string, write: admin, visible_to: admin, claim: true}
            |                                                           ^~~~~

      """#),
    Golden(
      .notSearchable,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          username: {type: string}
      directory: {find_by: [username]}

      """#,
      #"""
      acme.yaml:8:23: error[P0224]: users can not be found by username: profile field "username" needs visible_to: users, unique:
          8 | directory: {find_by: [username]}
            |                       ^~~~~~~~
            = the field stands on line 7

      """#),
    Golden(
      .reservedFieldName,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          id: {type: string}

      """#,
      #"""
      acme.yaml:7:5: error[P0225]: a profile field can not be called "id": records of users have such a member
          7 |     id: {type: string}
            |     ^~

      """#),
    Golden(
      .wildcardAddress,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, origins: ["https://*.acme.example"]}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:3:29: error[P0226]: "https://*.acme.example" names no host: an address has no wildcard
          3 | app: {name: Acme, origins: ["https://*.acme.example"]}
            |                             ^~~~~~~~~~~~~~~~~~~~~~~~
            = write one address for each host

      """#),
    Golden(
      .badRename,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          ward: {type: string}
          unit: {type: string, renamed_from: ward}

      """#,
      #"""
      acme.yaml:8:40: error[P0227]: profile field "unit" can not be renamed from "ward": the policy still has a field of this name
          8 |     unit: {type: string, renamed_from: ward}
            |                                        ^~~~

      """#),
    Golden(
      .factorsDisagree,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      mfa: {factors: [totp, passkey]}
      passkeys: {use: [sign_in]}

      """#,
      #"""
      acme.yaml:5:23: error[P0228]: mfa.factors names passkey, and no passkey is a second factor
          5 | mfa: {factors: [totp, passkey]}
            |                       ^~~~~~~
            = add second_factor to passkeys.use

      """#),
    Golden(
      .signUpWithoutReturn,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      passkeys: {use: [sign_up]}

      """#,
      #"""
      acme.yaml:5:18: error[P0229]: passkeys.use has sign_up without sign_in, so no owner could come back by the passkey
          5 | passkeys: {use: [sign_up]}
            |                  ^~~~~~~
            = add sign_in

      """#),
    Golden(
      .sameRelyingParty,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.example, until: 2030-01-01}}

      """#,
      #"""
      acme.yaml:5:66: error[P0230]: rp_id_from names "acme.example", which is rp_id itself
          5 | passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.example, until: 2030-01-01}}
            |                                                                  ^~~~~~~~~~~~
            = write the domain that passkeys were bound to before, or remove rp_id_from

      """#),
  ]
}
