extension CodeExample {
  /// P0213 to P0226: names of things that are not there, and values that do not go together.
  static let references: [CodeExample] = [
    CodeExample(
      .unknownRequirement, "access: {full: {requires: [email_verifed]}}",
      "access: {full: {requires: [email_verified]}}",
      "Take one of the words that the message lists."),
    CodeExample(
      .unknownField,
      "profile: {fields: {name: {type: string}}}\npassword: {rules: [{id: min8, min_length: 8}, {id: own, not_containing: [nmae]}]}",
      "profile: {fields: {name: {type: string}}}\npassword: {rules: [{id: min8, min_length: 8}, {id: own, not_containing: [name]}]}",
      "Correct the name, or declare the field under profile.fields."),
    CodeExample(
      .unknownProvider, "access: {full: {requires: [\"linked:spotify\"]}}",
      """
      access: {full: {requires: ["linked:spotify"]}}
      providers:
        password: {use: sign_in}
        spotify: {use: link, client_id: abc}
      """, "Correct the name, or add the provider under providers."),
    CodeExample(
      .badFieldName, "profile: {fields: {email: {type: string}}}", "profile: {fields: {contact: {type: string}}}",
      "Choose another name; an account already has a value of that name."),
    CodeExample(
      .badDomain, "identifiers: {email: {allowed_domains: [acme_example]}}",
      "identifiers: {email: {allowed_domains: [acme.example]}}",
      "Write the domain alone, without @ or https://, and \"*.domain\" in quotes for its subdomains."),
    CodeExample(
      .badURL, "app: {name: Acme, continue: [\"javascript://alert\"]}",
      "app: {name: Acme, continue: [\"https://acme.example/welcome\"]}",
      "Write an address of the form that the message asks for."),
    CodeExample(
      .lifetimesDisagree, "sessions: {access_token_ttl: 24h, refresh_idle_ttl: 1h}",
      "sessions: {access_token_ttl: 15m, refresh_idle_ttl: 1h}",
      "Make access_token_ttl at most refresh_idle_ttl, and that at most refresh_max_ttl; page_idle_ttl at most page_max_ttl."
    ),
    CodeExample(
      .unknownRule,
      "exceptions: [{email: guest@acme.example, rule: email.alowed_domains, until: 2999-12-31, reason: guest}]\nidentifiers: {email: {allowed_domains: [acme.test]}}",
      "exceptions: [{email: guest@acme.example, rule: email.allowed_domains, until: 2999-12-31, reason: guest}]\nidentifiers: {email: {allowed_domains: [acme.test]}}",
      "Take one of the ids that the message lists."),
    CodeExample(
      .badColour, "theme: {primary: \"#51288\"}", "theme: {primary: \"#512888\"}",
      "Write six hexadecimal digits after the #, in quotes."),
    CodeExample(
      .selfMadeAdmin,
      "profile: {fields: {role: {type: enum, values: [admin, member], default: member}}}\nadmins: {when: {role: admin}, may: [list_users]}",
      "profile: {fields: {role: {type: enum, values: [admin, member], default: member, write: admin}}}\nadmins: {when: {role: admin}, may: [list_users]}",
      "Give the field write: admin."),
    CodeExample(
      .hiddenClaim, "profile: {fields: {risk: {type: string, write: admin, visible_to: admin, claim: true}}}",
      "profile: {fields: {risk: {type: string, write: admin, visible_to: admin}}}",
      "Leave out claim: true, and read the field over the admin API; or set visible_to: self where the person may know it."
    ),
    CodeExample(
      .notSearchable,
      "profile: {fields: {nick: {type: string}}}\ndirectory: {find_by: [prefix], prefix_of: [nick]}",
      "profile: {fields: {nick: {type: string, visible_to: users}}}\ndirectory: {find_by: [prefix], prefix_of: [nick]}",
      "Give the field what the message names, or let users be found by something else."),
    CodeExample(
      .reservedFieldName, "profile: {fields: {id: {type: string}}}", "profile: {fields: {memberId: {type: string}}}",
      "Give the field another name."),
    CodeExample(
      .wildcardAddress, "app: {name: Acme, origins: [\"https://*.acme.example\"]}",
      "app: {name: Acme, origins: [\"https://web.acme.example\", \"https://admin.acme.example\"]}",
      "Write one address for each host."),
    CodeExample(
      .badRename, "profile: {fields: {ward: {type: string}, unit: {type: string, renamed_from: ward}}}",
      "profile: {fields: {unit: {type: string, renamed_from: ward}}}",
      "Take the former field out of the policy, or leave out renamed_from."),
    CodeExample(
      .factorsDisagree, "mfa: {factors: [totp, passkey]}",
      "mfa: {factors: [totp, passkey]}\npasskeys: {use: [second_factor]}",
      "Name passkey in mfa.factors and second_factor in passkeys.use, or neither."),
    CodeExample(
      .signUpWithoutReturn, "passkeys: {use: [sign_up]}", "passkeys: {use: [sign_in, sign_up]}",
      "Name sign_in beside sign_up, leave verification.email.on_sign_up on, and keep the password provider or one that signs in."
    ),
    CodeExample(
      .sameRelyingParty,
      "passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.example, until: 2999-12-31}}",
      "passkeys: {use: [sign_in], rp_id: acme.example, rp_id_from: {id: acme.test, until: 2999-12-31}}",
      "Name the domain of before, or remove rp_id_from."),
  ]
}
