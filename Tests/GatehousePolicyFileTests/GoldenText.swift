import GatehousePolicyFile

/// P01, the text as a text: what is wrong with it. The file `acme.yaml`, and exactly what is said about it.
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
      acme.yaml:5:1: error[P0106]: key "tenant" is written twice
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
            = allowed here: id, min_length, max_length, require, not_containing, not_in, min_strength, not_last, max_age, enforce, enforce_from, existing, doors, message, sentence, disclose, fail

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
            = allowed here: schema, tenant, app, identifiers, password, profile, verification, access, providers, sessions, presence, directory, mail, privacy, accounts, mfa, passkeys, admins, attest, limits, theme, messages, exceptions, users, tests_at, tests, always

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
  ]
}
