import GatehousePolicyFile

/// P04, tests in the file. The file `acme.yaml`, and exactly what is said about it.
enum GoldenInFileTests {
  static let cases: [Golden] = [
    Golden(
      .noDoor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: nothing happens
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:6:11: error[P0403]: this test has no door
          6 |   - name: nothing happens
            |           ^~~~~~~~~~~~~~~
            = one of: sign_up, sign_in, sign_up_with, link, update_profile, change_email, set_password, reset_password, admin_create, admin_update, invite, import

      """#),
    Golden(
      .twoDoors,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: both
          sign_up: {email: a@example.com, password: longenough}
          invite: {email: a@example.com}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:8:5: error[P0404]: a test goes through one door; this one has sign_up and invite
          8 |     invite: {email: a@example.com}
            |     ^~~~~~

      """#),
    Golden(
      .unusedEach,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: each
          each: [a, b]
          sign_up: {email: a@example.com, password: longenough}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:7:5: error[P0405]: each: is given, but $each is not used
          7 |     each: [a, b]
            |     ^~~~

      """#),
    Golden(
      .unusedEach,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: each
          sign_up: {email: $each, password: longenough}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:7:14: error[P0405]: $each is used, but the test has no each:
          7 |     sign_up: {email: $each, password: longenough}
            |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

      """#),
    Golden(
      .unknownRuleInTest,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: short
          sign_up: {email: a@example.com, password: short}
          expect: {ok: false, violations: [password.min9]}

      """#,
      #"""
      acme.yaml:8:38: error[P0406]: this policy has no rule "password.min9"
          8 |     expect: {ok: false, violations: [password.min9]}
            |                                      ^~~~~~~~~~~~~
            = did you mean "password.min8"?
            = allowed: email.required, email.syntax, password.required, password.syntax, password.max_length, password.min8

      """#),
    Golden(
      .duplicateTestName,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: same
          sign_up: {email: a@example.com, password: longenough}
          expect: {ok: true}
        - name: same
          invite: {email: a@example.com}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:9:11: error[P0407]: a test is already called "same"
          9 |   - name: same
            |           ^~~~
            = on line 6

      """#),
    Golden(
      .badTestValue,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: list
          sign_up: {email: [a@example.com], password: longenough}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:7:22: error[P0408]: a request carries text here; anything else is refused before the policy is asked
          7 |     sign_up: {email: [a@example.com], password: longenough}
            |                      ^~~~~~~~~~~~~~~

      """#),
    Golden(
      .closedDoor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      providers: {google: {use: sign_in, client_id: abc}}
      tests:
        - name: a new user
          sign_up: {email: a@example.com, password: longenough}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:8:5: error[P0409]: sign_up is closed
          8 |     sign_up: {email: a@example.com, password: longenough}
            |     ^~~~~~~
            = providers: (line 5) does not name password

      """#),
    Golden(
      .unknownUser,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      users: {alex: {email: a@example.com, password: longenough}}
      tests:
        - name: a new user
          sign_up: {as: alec}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:8:19: error[P0410]: no user "alec"
          8 |     sign_up: {as: alec}
            |                   ^~~~
            = did you mean "alex"?
            = allowed: alex

      """#),
    Golden(
      .testFailed,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - name: short ones pass
          sign_up: {email: a@example.com, password: short}
          expect: {ok: true, violations: []}

      """#,
      #"""
      acme.yaml:8:13: error[P0401]: test "short ones pass" failed
          8 |     expect: {ok: true, violations: []}
            |             ^~~~~~~~~~~~~~~~~~~~~~~~~~
            = ok expected: true
            = ok got:      false
            = violations expected: []
            = violations got:      [password.min8]
            = password.min8 stands on line 4: fail, too short

      """#),
    Golden(
      .addAt,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2027-03-01}]}
      tests:
        - name: seven
          sign_up: {email: a@example.com, password: sevench}
          expect: {ok: true}

      """#,
      #"""
      acme.yaml:6:11: error[P0402]: add at: to test "seven"; its outcome changes around 2027-03-01
          6 |   - name: seven
            |           ^~~~~
            = at: a day before 2027-03-01, or one after it; or two tests
            = password.min8 stands on line 4

      """#),
  ]
}
