import GatehousePolicyFile

/// P03 and P04: lints and tests. The file `acme.yaml`, and exactly what is said about it.
enum GoldenTestsAndLints {
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
      acme.yaml:6:11: error[P0403]: this test goes through no door
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
      acme.yaml:7:5: error[P0405]: each: is given, but $each stands nowhere
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
      acme.yaml:7:14: error[P0405]: $each stands here, but the test has no each:
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
            = there is: email.required, email.syntax, password.required, password.max_length, password.min8

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

      """#),
    Golden(
      .contradiction,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          name: {type: string, min_length: 9, max_length: 3}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:41: warning[P0301]: name.min_length asks for at least 9, name.max_length for at most 3
          7 |     name: {type: string, min_length: 9, max_length: 3}
            |                                         ^~~~~~~~~~
            = no value satisfies both (lines 7 and 7)

      """#),
    Golden(
      .impossible,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          team: {type: string, required: true, write: admin}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:26: warning[P0302]: team is required, but only an administrator may write it, so nobody can sign up
          7 |     team: {type: string, required: true, write: admin}
            |                          ^~~~~~~~
            = give it a default, or leave out required

      """#),
    Golden(
      .publicSuffix,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers: {email: {allowed_domains: ["*.edu"]}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:41: warning[P0303]: "*.edu" is a public suffix: anybody can register under it
          5 | identifiers: {email: {allowed_domains: ["*.edu"]}}
            |                                         ^~~~~~~

      """#),
    Golden(
      .freeMail,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers: {email: {allowed_domains: [ksu.edu, gmail.com]}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:50: warning[P0304]: anybody can get an address at "gmail.com"
          5 | identifiers: {email: {allowed_domains: [ksu.edu, gmail.com]}}
            |                                                  ^~~~~~~~~

      """#),
    Golden(
      .compositionWithoutLength,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: upper, require: uppercase}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:20: warning[P0305]: character classes without a minimum length of 8
          4 | password: {rules: [{id: upper, require: uppercase}]}
            |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = NIST SP 800-63B prefers length and lists of known passwords

      """#),
    Golden(
      .pastStage,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2026-03-01}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:20: warning[P0306]: password.min8 enforces since 2026-03-01
          4 | password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2026-03-01}]}
            |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = write enforce: enforce and remove the date; nothing changes by it

      """#),
    Golden(
      .warnWithoutDate,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce: warn}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:20: warning[P0307]: password.min8 only warns, and no date says until when
          4 | password: {rules: [{id: min8, min_length: 8, enforce: warn}]}
            |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = add enforce_from: YYYY-MM-DD

      """#),
    Golden(
      .noTests,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:1:1: warning[P0308]: the file has no tests
          1 | schema: gatehouse/policy.v1
            | ^

      """#),
    Golden(
      .openDoor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit, doors: [set_password, reset_password]}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:47: warning[P0309]: password.digit does not guard sign_up, admin_create
          4 | password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit, doors: [set_password, reset_password…
            |                                               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

      """#),
    Golden(
      .lowContrast,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {primary: "#FFE680"}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:18: warning[P0310]: #FFE680 has a contrast of 1.2:1 to the light page; 3:1 is needed
          5 | theme: {primary: "#FFE680"}
            |                  ^~~~~~~~~
            = choose a darker colour (WCAG 2.2, 1.4.11)

      """#),
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
      acme.yaml:7:7: warning[P0312]: password.min6 has no effect: password.min8 (line 6) asks for as much
          7 |     - {id: min6, min_length: 6}
            |       ^~~~~~~~~~~~~~~~~~~~~~~~~

      """#),
  ]
}
