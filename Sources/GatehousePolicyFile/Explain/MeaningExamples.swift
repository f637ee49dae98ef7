extension CodeExample {
  /// P0201 to P0212: rules and fields that do not mean anything, or not what they should.
  static let meaning: [CodeExample] = [
    CodeExample(
      .badRuleID, "password: {rules: [{id: Min-8, min_length: 8}]}", "password: {rules: [{id: min8, min_length: 8}]}",
      "Take lower-case letters, digits and _, a letter first."),
    CodeExample(
      .duplicateRuleID,
      "password: {rules: [{id: class, require: digit}, {id: class, require: uppercase}, {id: min8, min_length: 8}]}",
      "password: {rules: [{id: digit, require: digit}, {id: upper, require: uppercase}, {id: min8, min_length: 8}]}",
      "Give each rule its own id. Apps show texts by it, so never give an old id a new meaning."),
    CodeExample(
      .ruleWithoutKind, "password: {rules: [{id: min8, enforce: enforce}]}",
      "password: {rules: [{id: min8, min_length: 8, enforce: enforce}]}",
      "Add the one condition that the rule is about."),
    CodeExample(
      .ruleWithTwoKinds, "password: {rules: [{id: strong, min_length: 8, require: digit}]}",
      "password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit}]}",
      "Make a rule of each condition, with its own id."),
    CodeExample(
      .keyDoesNotApply, "profile: {fields: {age: {type: integer, min_length: 2}}}",
      "profile: {fields: {age: {type: integer, min: 10}}}",
      "Remove the key, or change the field's type: numbers have min and max, text has min_length and max_length."),
    CodeExample(
      .badDefault, "profile: {fields: {role: {type: enum, values: [admin, member], default: owner}}}",
      "profile: {fields: {role: {type: enum, values: [admin, member], default: member}}}",
      "Take a default that the field's own rules admit."),
    CodeExample(
      .reservedClaim, "profile: {fields: {scope: {type: string, claim: true}}}",
      "profile: {fields: {teamScope: {type: string, write: admin, claim: true}}}",
      "Give the field another name, or leave out claim: true."),
    CodeExample(
      .unguardedDoor, "identifiers: {email: {allowed_domains: {value: [acme.example], doors: [sign_up]}}}",
      "identifiers: {email: {allowed_domains: [acme.example]}}",
      "Leave out doors:, or add the doors that the message names to one of the rules. `gatehouse policy doors` shows the whole matrix."
    ),
    CodeExample(
      .notAvailable, "identifiers: {sign_in_with: [email], phone: {}}", "identifiers: {sign_in_with: [email]}",
      "Leave the setting out until the server supports it."),
    CodeExample(
      .secretInFile,
      "providers: {password: {use: sign_in}, google: {use: sign_in, client_id: abc, client_secret: hunter2}}",
      "providers: {password: {use: sign_in}, google: {use: sign_in, client_id: abc, client_secret: {secret: google_client}}}",
      "Store it with `gatehouse secret set` and write {secret: NAME}. A secret that was in a file is known: make a new one."
    ),
    CodeExample(
      .aboveCeiling, "verification: {email: {link_ttl: 48h}}", "verification: {email: {link_ttl: 24h}}",
      "Shorten the lifetime; people can always ask for another mail."),
    CodeExample(
      .dateWithoutWarn, "password: {rules: [{id: min8, min_length: 8, enforce_from: 2999-03-01}]}",
      "password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2999-03-01}]}",
      "Add enforce: warn, or remove the date where the rule is enforced already."),
  ]
}
