extension CodeExample {
  /// P0401 to P0410: the tests in the file.
  static let tests: [CodeExample] = [
    CodeExample(
      .testFailed,
      """
      tests:
        - name: short ones pass
          sign_up: {email: a@acme.example, password: short}
          expect: {ok: true}
      """,
      """
      tests:
        - name: short ones do not pass
          sign_up: {email: a@acme.example, password: short}
          expect: {ok: false, violations: [password.min8]}
      """, "Either the rule is wrong or the test: the finding shows what came out and on which line the rule stands."),
    CodeExample(
      .addAt,
      """
      password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2999-03-01}]}
      tests:
        - name: seven are enough
          sign_up: {email: a@acme.example, password: sevench}
          expect: {ok: true}
      """,
      """
      password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2999-03-01}]}
      tests:
        - name: seven are enough until March
          at: 2999-02-28
          sign_up: {email: a@acme.example, password: sevench}
          expect: {ok: true}
      """, "Add at: with a day before the date, and a second test with a day after it."),
    CodeExample(
      .noDoor,
      """
      tests:
        - name: nothing happens
          expect: {ok: true}
      """,
      """
      tests:
        - name: a user signs in
          given: {email_verified: true}
          expect: {ok: true}
      """, "Name the door of the test, or describe with given: the user who signs in."),
    CodeExample(
      .twoDoors,
      """
      tests:
        - name: both
          sign_up: {email: a@acme.example, password: longenough}
          invite: {email: a@acme.example}
          expect: {ok: true}
      """,
      """
      tests:
        - name: one
          sign_up: {email: a@acme.example, password: longenough}
          expect: {ok: true}
        - name: the other
          invite: {email: a@acme.example}
          expect: {ok: true}
      """, "Make a test of each."),
    CodeExample(
      .unusedEach,
      """
      tests:
        - name: two people
          each: [a@acme.example, b@acme.example]
          sign_up: {email: a@acme.example, password: longenough}
          expect: {ok: true}
      """,
      """
      tests:
        - name: two people
          each: [a@acme.example, b@acme.example]
          sign_up: {email: $each, password: longenough}
          expect: {ok: true}
      """, "Write $each where the members are to be put in, or remove each:."),
    CodeExample(
      .unknownRuleInTest,
      """
      tests:
        - name: short
          sign_up: {email: a@acme.example, password: short}
          expect: {ok: false, violations: [password.min9]}
      """,
      """
      tests:
        - name: short
          sign_up: {email: a@acme.example, password: short}
          expect: {ok: false, violations: [password.min8]}
      """, "Take one of the ids that the message lists; * stands for a family, as in \"password.*\"."),
    CodeExample(
      .duplicateTestName,
      """
      tests:
        - name: same
          invite: {email: a@acme.example}
          expect: {ok: true}
        - name: same
          invite: {email: nobody}
          expect: {ok: false}
      """,
      """
      tests:
        - name: an address is invited
          invite: {email: a@acme.example}
          expect: {ok: true}
        - name: a word is not
          invite: {email: nobody}
          expect: {ok: false}
      """, "Give each test a name that says what it shows."),
    CodeExample(
      .badTestValue,
      """
      tests:
        - name: a list
          invite: {email: [a@acme.example]}
          expect: {ok: true}
      """,
      """
      tests:
        - name: an address
          invite: {email: a@acme.example}
          expect: {ok: true}
      """, "Write the one value that a request would carry; use each: to try several."),
    CodeExample(
      .closedDoor,
      """
      providers: {google: {use: sign_in, client_id: abc}}
      tests:
        - name: a new user
          sign_up: {email: a@acme.example, password: longenough}
          expect: {ok: true}
      """,
      """
      providers: {google: {use: sign_in, client_id: abc}}
      tests:
        - name: a new user
          sign_up_with: {provider: google, email: a@acme.example, email_verified: true}
          expect: {ok: true}
      """, "Name password under providers:, or send the test through a door that is open."),
    CodeExample(
      .unknownUser,
      """
      users: {alex: {email: alex@acme.example, password: Long enough 1}}
      tests:
        - name: an address is needed
          sign_up: {as: alec, email: null}
          expect: {ok: false, violations: [email.required]}
        - name: a user signs up
          sign_up: {as: alex}
          expect: {ok: true}
      """,
      """
      users: {alex: {email: alex@acme.example, password: Long enough 1}}
      tests:
        - name: an address is needed
          sign_up: {as: alex, email: null}
          expect: {ok: false, violations: [email.required]}
      """, "Take a name that the message lists, or add the user under users:."),
  ]
}

extension CodeExample {
  /// P0420 and P0421: the statements in the file.
  static let statements: [CodeExample] = [
    CodeExample(
      .statementRefuted,
      """
      identifiers: {email: {allowed_domains: [acme.example, partner.example]}}
      always: [{name: outsiders never get in, never: {access: full, email: {outside: [acme.example]}}}]
      """,
      """
      identifiers: {email: {allowed_domains: [acme.example]}}
      always: [{name: outsiders never get in, never: {access: full, email: {outside: [acme.example]}}}]
      """, "Close the chain that the finding names, or say less. The test in the finding shows when it is closed."),
    CodeExample(
      .badStatement, "always: [{name: nobody, never: {by: user}}]",
      "always: [{name: all are asked, never: {access: full, email_verified: false}}]\naccess: {full: {requires: [email_verified]}}",
      "Say what never happens, or what every account can do."),
  ]

  /// P0340.
  static let undecided = CodeExample(
    .statementUndecided,
    """
    profile: {fields: {a: {type: integer}, b: {type: integer}, c: {type: integer}, d: {type: integer}, e: {type: integer}, f: {type: integer}}}
    always: [{name: five, never: {stored: {a: {is: 5}, b: {is: 5}, c: {is: 5}, d: {is: 5}, e: {is: 5}, f: {is: 5}}}}]
    """,
    """
    profile: {fields: {a: {type: integer, max: 4}}}
    always: [{name: five, never: {stored: {a: {is: 5}}}}]
    """, "Say it of fewer parts, or run the check where the list is that the finding names.")
}
