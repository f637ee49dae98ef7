import GatehousePolicyFile

/// P01, values that are not what their key takes. The file `acme.yaml`, and exactly what is said about it.
enum GoldenScalars {
  static let cases: [Golden] = [
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
