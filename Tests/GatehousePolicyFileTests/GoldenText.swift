import GatehousePolicyFile

/// P01: what is wrong with the text. The file `acme.yaml`, and exactly what is said about it.
enum GoldenText {
  static let cases: [Golden] = [
    Golden(
      .tab,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions:
      \#taccess_token_ttl: 15m

      """#,
      #"""
      acme.yaml:6:1: error[P0105]: a tab; indent and separate with spaces
          6 | \#u{FFFD}access_token_ttl: 15m
            | ^

      """#),
    Golden(
      .character,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {logo: "a\0b"}

      """#,
      #"""
      acme.yaml:5:15: error[P0104]: a control character (U+0000) by an escape
          5 | theme: {logo: "a\0b"}
            |               ^~~~~~

      """#),
    Golden(
      .character,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      # \#u{202E}hidden

      """#,
      #"""
      acme.yaml:5:3: error[P0104]: a character that changes the direction of text (U+202E)
          5 | # \#u{FFFD}hidden
            |   ^

      """#),
    Golden(
      .syntax,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {logo: a.svg

      """#,
      #"""
      acme.yaml:6:1: error[P0102]: this is not YAML: while parsing a flow mapping, did not find expected ',' or '}'
          6 | 
            | ^

      """#),
    Golden(
      .tooDeep,
      #"""
      a: [[[[[[[[[[[[1]]]]]]]]]]]]

      """#,
      #"""
      acme.yaml:1:15: error[P0103]: nested deeper than 12 levels
          1 | a: [[[[[[[[[[[[1]]]]]]]]]]]]
            |               ^

      """#),
    Golden(
      .duplicateKey,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tenant: other

      """#,
      #"""
      acme.yaml:5:1: error[P0106]: key "tenant" stands here twice
          5 | tenant: other
            | ^~~~~~
            = it was first written on line 2

      """#),
    Golden(
      .unknownKey,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password:
        rules:
          - {id: min8, min_length: 8, min_lenght: 8}

      """#,
      #"""
      acme.yaml:6:33: error[P0107]: unknown key "min_lenght" in password rule "min8"
          6 |     - {id: min8, min_length: 8, min_lenght: 8}
            |                                 ^~~~~~~~~~
            = did you mean "min_length"?
            = allowed here: id, min_length, max_length, require, not_containing, not_in, min_strength, max_age, enforce, enforce_from, existing, doors, message, disclose

      """#),
    Golden(
      .unknownKey,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      pasword: {}

      """#,
      #"""
      acme.yaml:5:1: error[P0107]: unknown key "pasword" in the policy
          5 | pasword: {}
            | ^~~~~~~
            = did you mean "password"?
            = allowed here: schema, tenant, app, identifiers, password, profile, verification, access, providers, sessions, privacy, admins, limits, theme, exceptions, tests

      """#),
    Golden(
      .anchor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: &t {logo: a.svg}

      """#,
      #"""
      acme.yaml:5:8: error[P0108]: an anchor (&t); write the value out, or put the text in quotes
          5 | theme: &t {logo: a.svg}
            |        ^~~~

      """#),
    Golden(
      .anchor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: *t

      """#,
      #"""
      acme.yaml:5:8: error[P0108]: an alias (*t); write the value out, or put the text in quotes
          5 | theme: *t
            |        ^~

      """#),
    Golden(
      .tag,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {logo: !!str a.svg}

      """#,
      #"""
      acme.yaml:5:15: error[P0109]: a tag (!…); the file's schema knows the types, or put the text in quotes
          5 | theme: {logo: !!str a.svg}
            |               ^~~~~~~~~~~

      """#),
    Golden(
      .mergeKey,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {<<: {logo: a.svg}}

      """#,
      #"""
      acme.yaml:5:9: error[P0110]: a merge key (<<); write the keys out
          5 | theme: {<<: {logo: a.svg}}
            |         ^~

      """#),
    Golden(
      .secondDocument,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      ---
      a: b

      """#,
      #"""
      acme.yaml:5:1: error[P0111]: a second document; a file holds one
          5 | ---
            | ^~~

      """#),
    Golden(
      .directive,
      #"""
      %YAML 1.1
      ---
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:1:1: error[P0112]: a YAML directive; leave it out
          1 | %YAML 1.1
            | ^~~~~~~~~

      """#),
    Golden(
      .empty,
      #"""
      # nothing but a comment

      """#,
      #"""
      acme.yaml:1:1: error[P0113]: the file is empty
          1 | # nothing but a comment
            | ^

      """#),
    Golden(
      .keyNotText,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {[a]: b}

      """#,
      #"""
      acme.yaml:5:9: error[P0114]: a key must be plain text, not a list
          5 | theme: {[a]: b}
            |         ^~~

      """#),
    Golden(
      .missingKey,
      #"""
      schema: gatehouse/policy.v1
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:1:1: error[P0115]: "tenant" is missing in the policy
          1 | schema: gatehouse/policy.v1
            | ^~~~~~
            = tenant: The tenant this policy belongs to.

      """#),
    Golden(
      .wrongKind,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: dark

      """#,
      #"""
      acme.yaml:5:8: error[P0116]: "theme" in the policy: expected a map, got a single value
          5 | theme: dark
            |        ^~~~

      """#),
    Golden(
      .wrongKind,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions: {access_token_ttl: }

      """#,
      #"""
      acme.yaml:5:30: error[P0116]: "access_token_ttl" in sessions: expected a duration from 10s to 1d, such as 30s, 15m, 24h or 30d, got nothing
          5 | sessions: {access_token_ttl: }
            |                              ^

      """#),
    Golden(
      .notTrueOrFalse,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          name: {type: string, required: yes}

      """#,
      #"""
      acme.yaml:7:36: error[P0117]: "required" in profile field "name": expected true or false, got "yes"
          7 |     name: {type: string, required: yes}
            |                                    ^~~

      """#),
    Golden(
      .notANumber,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: "8"}]}

      """#,
      #"""
      acme.yaml:4:43: error[P0118]: "min_length" in password rule "min8": expected a whole number from 1 to 1024, got "8"
          4 | password: {rules: [{id: min8, min_length: "8"}]}
            |                                           ^~~

      """#),
    Golden(
      .outOfRange,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions: {max_per_user: 0}

      """#,
      #"""
      acme.yaml:5:26: error[P0119]: "max_per_user" in sessions: expected a whole number from 1 to 1000, got "0"
          5 | sessions: {max_per_user: 0}
            |                          ^

      """#),
    Golden(
      .outOfRange,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions: {reuse_grace: 31s}

      """#,
      #"""
      acme.yaml:5:25: error[P0119]: "reuse_grace" in sessions: expected a duration from 0s to 30s, such as 30s, 15m, 24h or 30d, got "31s"
          5 | sessions: {reuse_grace: 31s}
            |                         ^~~

      """#),
    Golden(
      .notADuration,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      sessions: {access_token_ttl: 900}

      """#,
      #"""
      acme.yaml:5:30: error[P0120]: "access_token_ttl" in sessions: expected a duration from 10s to 1d, such as 30s, 15m, 24h or 30d, got "900"
          5 | sessions: {access_token_ttl: 900}
            |                              ^~~

      """#),
    Golden(
      .notALimit,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      limits: {sign_in_per_account: 10}

      """#,
      #"""
      acme.yaml:5:31: error[P0121]: "sign_in_per_account" in limits: expected a limit such as 10/15m, got "10"
          5 | limits: {sign_in_per_account: 10}
            |                               ^~

      """#),
    Golden(
      .notADate,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2027-02-30}]}

      """#,
      #"""
      acme.yaml:4:75: error[P0122]: "enforce_from" in password rule "min8": expected a date such as 2027-03-01, got "2027-02-30"
          4 | password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2027-02-30}]}
            |                                                                           ^~~~~~~~~~

      """#),
    Golden(
      .notAChoice,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      privacy: {account_exists: hidden}

      """#,
      #"""
      acme.yaml:5:27: error[P0123]: "account_exists" in privacy: expected one of reveal, hide, got "hidden"
          5 | privacy: {account_exists: hidden}
            |                           ^~~~~~
            = did you mean "hide"?

      """#),
    Golden(
      .notAChoice,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          name: {type: string, unique: no}

      """#,
      #"""
      acme.yaml:7:34: error[P0123]: "unique" in profile field "name": expected true or false or ignore_case, got "no"
          7 |     name: {type: string, unique: no}
            |                                  ^~

      """#),
    Golden(
      .badText,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: ""}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:3:13: error[P0124]: "name" in app: expected text of 1 to 80 characters, got ""
          3 | app: {name: ""}
            |             ^~

      """#),
    Golden(
      .badCount,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, locales: []}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:3:28: error[P0125]: "locales" in app: expected 1 to 20 members, got 0
          3 | app: {name: Acme, locales: []}
            |                            ^~

      """#),
    Golden(
      .repeated,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, locales: [en, es, en]}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:3:37: error[P0126]: "locales" in app: "en" is listed twice
          3 | app: {name: Acme, locales: [en, es, en]}
            |                                     ^~

      """#),
    Golden(
      .badName,
      #"""
      schema: gatehouse/policy.v1
      tenant: Acme Inc
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:2:9: error[P0127]: "tenant" in the policy: expected a tenant id: 1 to 40 of a-z, 0-9 and -, beginning with a letter, got "Acme Inc"
          2 | tenant: Acme Inc
            |         ^~~~~~~~

      """#),
  ]
}
