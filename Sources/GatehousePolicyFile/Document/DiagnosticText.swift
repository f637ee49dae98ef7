// swift-format-ignore-file: one entry is one line of meaning; the table is read as prose.

extension DiagnosticCode {
  /// Title and explanation, exhaustive by the compiler.
  var text: (title: String, explanation: String) {
    switch self {
    case .encoding: ("not UTF-8", "Policy files are UTF-8 text without a byte order mark. Save the file as UTF-8.")
    case .tooLarge: ("too large", "A file may have at most 256 KiB.")
    case .syntax:
      (
        "not YAML",
        "The text could not be read as YAML at this place. Common causes: a missing space after a colon, wrong indentation, an unclosed quote or bracket. Text that begins with one of @ ` % & * ! | > or holds \": \" needs quotes."
      )
    case .tooDeep: ("nested too deeply", "Lists and maps may be nested at most 12 levels.")
    case .character:
      (
        "forbidden character",
        "Control characters, stray carriage returns, unusual line separators and characters that change the direction of text are refused: a policy is reviewed by eye, and what is shown must be what is meant."
      )
    case .tab: ("tab", "YAML gives tabs no meaning as indentation and editors show them differently. Use spaces.")
    case .duplicateKey:
      (
        "key written twice",
        "A map may have each key once. Other readers silently take the first or the last; here the file is refused."
      )
    case .unknownKey:
      (
        "unknown key",
        "This key has no meaning here. Nothing is ignored: a misspelt rule that is skipped would be an open door. The message lists what is allowed."
      )
    case .anchor:
      (
        "anchor or alias",
        "Anchors (&name) and aliases (*name) give a file another meaning than its lines show. Write the value out. Text that begins with & or * needs quotes."
      )
    case .tag:
      (
        "tag",
        "Tags (!name) change the type of a value. The schema knows all types. Text that begins with ! needs quotes."
      )
    case .mergeKey: ("merge key", "The merge key (<<) hides where a setting comes from. Write the keys out.")
    case .secondDocument:
      ("second document", "A file holds one policy; a line of three dashes may only stand at its beginning.")
    case .directive: ("directive", "Lines such as %YAML or %TAG are not used.")
    case .empty: ("empty file", "There is nothing in the file. `gatehouse policy init` writes a policy to begin with.")
    case .keyNotText:
      (
        "key is not text",
        "A key of a map is one word of text, never a list or a map. A line that begins with { or [ often is the cause."
      )
    case .missingKey: ("key missing", "This key is needed here.")
    case .wrongKind:
      ("wrong kind of value", "The value is a single value, a list or a map, and this key needs another of the three.")
    case .notTrueOrFalse:
      ("not true or false", "Truth values are written true or false, without quotes. yes, no, on and off are text.")
    case .notANumber:
      ("not a whole number", "A whole number in decimal digits without quotes is needed: 8, not \"8\", 0x8 or 8.0.")
    case .outOfRange: ("out of range", "The value is outside the bounds of this key.")
    case .notADuration: ("not a duration", "A duration is a whole number with a unit: 30s, 15m, 24h or 30d.")
    case .notALimit: ("not a limit", "A limit is a number of times per duration: 10/15m, 300/1h.")
    case .notADate: ("not a date", "A date is written year-month-day: 2027-03-01. It begins at 00:00 UTC.")
    case .notAChoice: ("not one of the choices", "This key takes one of a few words; the message lists them.")
    case .badText: ("text not allowed", "The text is empty, too long or not of the needed form.")
    case .badCount: ("wrong number of members", "The list or map has too few or too many members.")
    case .repeated: ("listed twice", "The list has a member twice.")
    case .badName:
      (
        "name not allowed",
        "Names of tenants, providers and the like use few characters, so that they can stand in URLs and logs."
      )

    case .badRuleID:
      (
        "rule id not allowed",
        "A rule's id is the error code of the API for ever: lower-case ASCII letters, digits and _, beginning with a letter, at most 40."
      )
    case .duplicateRuleID:
      (
        "rule id twice",
        "Ids name a rule in errors, tests and explanations, so each is unique within its field. Some ids (required, syntax) belong to the rules every field has."
      )
    case .ruleWithoutKind:
      ("rule without a condition", "A rule needs exactly one condition, such as min_length or require.")
    case .ruleWithTwoKinds:
      (
        "rule with two conditions",
        "A rule has exactly one condition, so that its id says what failed. Make two rules of it."
      )
    case .keyDoesNotApply: ("key does not apply", "This key has no meaning for a field of this type.")
    case .badDefault:
      ("default is refused by its own field", "A default has to satisfy the field's own type and bounds.")
    case .reservedClaim:
      (
        "reserved claim",
        "A field with claim: true goes into access tokens under its own name. Names that tokens already use (iss, sub, aud, exp, scope, …) are refused; rename the field."
      )
    case .unguardedDoor:
      (
        "unguarded door",
        "Every door through which a value can come in has to be guarded by the field's rules. With doors given, their union must cover all doors of the field."
      )
    case .notAvailable:
      (
        "not available in this version",
        "The language knows this setting, this version of the server can not enforce it yet. It is refused rather than ignored."
      )
    case .secretInFile:
      (
        "secret in the file",
        "Policy files are read by many and kept for ever. Put the secret into the server's store with `gatehouse secret set` and name it: {secret: google_client}."
      )
    case .aboveCeiling:
      (
        "above the ceiling",
        "Codes and links that open an account may not live longer than the standards allow (NIST SP 800-63B, OWASP ASVS 6.5): links 24 h, codes 10 min."
      )
    case .dateWithoutWarn:
      ("date without warn", "enforce_from says when a warning begins to enforce by itself; it needs enforce: warn.")
    case .unknownRequirement:
      (
        "unknown requirement",
        "Full access can require email_verified, phone_verified, mfa, \"linked:PROVIDER\" or \"profile:FIELD\"."
      )
    case .unknownField: ("no such field", "profile.fields has no field of this name.")
    case .unknownProvider:
      ("no such provider", "providers has no provider of this name, or the provider is not used in this way.")
    case .badFieldName:
      (
        "field name not allowed",
        "Field names are ASCII letters, digits and _, beginning with a letter, at most 64, and none of the names an account already has."
      )
    case .badDomain:
      ("not a domain", "A domain in its ASCII form such as ksu.edu; *.ksu.edu stands for its subdomains.")
    case .badURL: ("URL not allowed", "The address is not of the form this key needs.")
    case .lifetimesDisagree:
      (
        "lifetimes disagree",
        "An access token may not outlive the idle time of its session, and the idle time not the whole session. The same holds for a browser at the hosted pages: page_idle_ttl is at most page_max_ttl."
      )
    case .unknownRule: ("no such rule", "No rule of this policy has this id.")
    case .badColour: ("not a colour", "Colours are written as \"#RRGGBB\", in quotes because # begins a comment.")
    case .selfMadeAdmin:
      (
        "condition that any user could change",
        "admins.when, or when: of a demand in mfa.required_if or of passkeys.upgrade, names a field that people write themselves: any user could become an administrator, end the demand, or take the offer. Such a field needs write: admin."
      )
    case .hiddenClaim:
      (
        "hidden field in the token",
        "A field with claim: true goes into access tokens, which the person's app reads. A field that only administrators see cannot be a claim. A revision that was applied before this check existed stays in force."
      )
    case .notSearchable:
      (
        "field that users can not look for",
        "A lookup tells whether a field has a value, so it uses only fields that users see: type string and visible_to: users. A username belongs to one account, so that field has unique: besides."
      )
    case .reservedFieldName:
      (
        "field name that an account has already",
        "Records of users have members of their own: id, created_at, presence and others. A program that reads a profile beside them must not take one for the other, so no field has such a name, in any spelling. A revision that was applied before this check existed stays in force."
      )

    case .wildcardAddress:
      (
        "address with a wildcard",
        "A browser names one origin, and an app one address to come back to; an address with a wildcard is never that one. A revision that was applied before this check existed stays in force."
      )

    case .badRename:
      (
        "former name that is no former name",
        "renamed_from names the field that the live policy has and this one gives another name. Its stored values move from the former name to the new one, so the former name is neither the field's own nor that of another field, and one field alone has it."
      )

    case .factorsDisagree:
      (
        "second factors and passkeys disagree",
        "mfa and passkeys speak of the same credentials. mfa.factors names passkey exactly where passkeys.use has second_factor, and a demand of level phr needs a policy in which people can have a passkey: no other factor resists phishing."
      )
    case .signUpWithoutReturn:
      (
        "a sign-up by passkeys without a way back",
        "An account that is made with a passkey has no password. Its owner comes back by the passkey (sign_in in passkeys.use), is known by an address that a mailed code proves at sign-up (verification.email.on_sign_up), and needs another way back when the passkey is lost: the password provider, whose reset is mailed, or a provider that signs in."
      )
    case .sameRelyingParty:
      (
        "rp_id_from is the relying party of today",
        "rp_id_from names the domain that passkeys were bound to before. Passkeys of rp_id prove without it."
      )

    case .belowFloor:
      (
        "below the operator's floor",
        "One file of the operator's has bounds that no tenant may weaken. The finding names its line as well."
      )

    case .senderNotAllowed:
      (
        "a sender that the operator does not allow",
        "Mails come from addresses that the server's configuration names, so that no tenant writes in another's name. The finding says which."
      )

    case .contradiction: ("contradiction", "Two bounds exclude each other.")
    case .impossible: ("nothing can satisfy this", "No value passes this rule, so every sign-up fails.")
    case .publicSuffix:
      (
        "public suffix as a domain",
        "Anyone can register a domain under a public suffix; as an allowed domain it admits nearly every address."
      )
    case .freeMail:
      (
        "free mail in an allow-list",
        "Anyone can get an address at a free mail provider; an allow-list that names one keeps no one out."
      )
    case .compositionWithoutLength:
      (
        "composition without length",
        "Character classes without a minimum of eight characters protect little. NIST SP 800-63B prefers length and lists of known passwords."
      )
    case .pastStage:
      ("date in the past", "The rule enforces since this date. Write enforce: enforce and remove the date.")
    case .warnWithoutDate:
      (
        "warning without a date",
        "A warning that never becomes a rule is forgotten. Give it enforce_from, or remove it."
      )
    case .noTests:
      ("no tests", "The file has no tests. A test per rule shows what a change breaks before users meet it.")
    case .openDoor:
      (
        "a door left open",
        "The rule names its doors and leaves out one through which the value can come in. Other rules may guard it; this one does not."
      )
    case .lowContrast:
      (
        "too little contrast",
        "The main colour is the surface of buttons. WCAG 2.2 (1.4.11) asks for a contrast of 3:1 to the page around them: the light page, or the dark one where dark_mode is always."
      )
    case .expiredException:
      (
        "expired exception",
        "The exception has expired and has no effect. Lists of exceptions are read in audits; remove an expired one."
      )
    case .redundantRule:
      (
        "rule without effect",
        "Another rule, enforced at the same doors, asks for at least as much, so this rule never refuses a value that the other one admits."
      )
    case .confirmedByClick:
      (
        "address proven by a click",
        "A stranger signs up with another person's address; that person clicks the link in the unexpected mail, and the stranger's account has a proven address, which rules and account joins rely on. confirm: account asks for the account's session or password besides."
      )
    case .directoryReveals:
      (
        "directory says who has an account",
        "privacy.account_exists: hide keeps from strangers which addresses have an account. With find_by: [email] every user with full access learns it of any address, and any stranger may become one."
      )
    case .missingLanguage:
      (
        "language missing",
        "The app speaks this language (app.locales), and a text of the file leaves it out. Its readers get English, or the first language that is there."
      )
    case .wordlessLanguage:
      (
        "language without words",
        "app.locales lists a language in which Gatehouse has no words. Its pages, mails and sentences are in English for readers of that language, but for the texts that the policy has itself."
      )
    case .rememberedTooLong:
      (
        "device remembered longer than its proof is valid",
        "A remembered device stands in for the second proof that was given on it, and valid_for ends that proof before remember_device does. A sign-in on the device asks for the second factor again from then on."
      )
    case .syncedByItsWord:
      (
        "synced passkeys refused by their own word",
        "Whether a passkey can be synced between devices is what its authenticator says of itself. Without attestation any software may say otherwise, so synced: false keeps out honest authenticators alone."
      )
    case .syncedUnattested:
      (
        "synced passkeys that cannot be attested",
        "attestation: direct demands a statement about the authenticator. Passkeys that are synced between devices carry none, so every one of them is refused, whatever synced says."
      )
    case .pastRelyingParty:
      (
        "a former relying party that has ended",
        "From the day of until on, passkeys of the former domain prove no more, and rp_id_from has no effect. Remove it, or give it a later day while people still have passkeys of that domain: policy impact counts them."
      )
    case .offerToNobody:
      (
        "a passkey that is offered to no account",
        "passkeys.upgrade offers a passkey to people who sign in by a password. providers does not name password, so no account has one that opens it."
      )
    case .notAskedAtSignUp:
      (
        "sign-up does not ask for this field",
        "The sign-up page shows the fields that users may write, and at_sign_up stands at one that only administrators write. The page leaves it out."
      )
    case .logoElsewhere:
      (
        "logo in the policy",
        "A policy is text and holds no picture. The logo belongs to the tenant and is set by `gatehouse tenant logo set`; the file name here is read, kept and used for nothing."
      )
    case .lowSignInLimit:
      (
        "sign-in limit locks users out",
        "The limit counts the password attempts of one network address at one account. Once it is used up, the right password is refused too, until the window ends. Attempts in a row are delayed without it."
      )
    case .defaultAdministrator:
      (
        "every new user is an administrator",
        "The defaults of the fields meet all conditions of admins.when, so each account that is made without other values administers the tenant."
      )
    case .selfWrittenClaim:
      (
        "claim that users write themselves",
        "A field with claim: true goes into access tokens, and a backend trusts what a token says. A user writes this field, so the claim says what the user likes."
      )
    case .uniqueWithoutCharset:
      (
        "unique values may look alike",
        "Values of the field are compared regardless of width and of what shows nothing. Letters of other scripts that look the same are different values: a Cyrillic а is no Latin a. A charset keeps such values out."
      )
    case .linkedElsewhere:
      (
        "account that pages cannot connect",
        "Full access asks for an account at this service, and the service sends no browser back to the hosted pages: no entry of its redirect_uris ends in /v1/links/NAME/callback. A user who signs in on the pages comes to the app with limited access, and the app has to connect the account."
      )
    case .unusedUser:
      (
        "user of no test",
        "No test starts from the user. The name is misspelt where it is used, or the user is left over."
      )

    case .testFailed: ("test failed", "A test of the file does not hold. A policy whose tests fail is never activated.")
    case .addAt:
      (
        "test depends on the date",
        "The policy changes at a date, and this test's outcome with it. Name the day with `at:`."
      )
    case .noDoor:
      (
        "test without a door",
        "A test needs a door to go through (sign_up, update_profile, …) or `given:` for a user who signs in."
      )
    case .twoDoors: ("test with two doors", "A test goes through one door. Make two tests of it.")
    case .unusedEach:
      (
        "each without $each",
        "Each member of the list under each: replaces $each in turn. Either $each or each: is missing."
      )
    case .unknownRuleInTest:
      (
        "test expects an unknown rule",
        "The expectation names a rule this policy does not have, so it could never hold."
      )
    case .duplicateTestName: ("test name twice", "Tests are reported by name; each needs its own.")
    case .badTestValue: ("value not usable in a test", "The value has no form in which a request could carry it.")
    case .closedDoor:
      (
        "test at a closed door",
        "Without `password` under `providers:` no user signs up, signs in or resets with a password. Name it there, or test another door, such as sign_up_with."
      )
    case .unknownUser:
      ("test with an unknown user", "`as:` names a user that is not under `users:`, so the test has no values.")
    case .statementRefuted:
      (
        "statement refuted",
        "A statement under `always` does not hold: a chain of requests that the policy allows leads to what it excludes. The finding has the shortest chain, and a test that fails as long as it is open."
      )
    case .badStatement:
      ("statement without one claim", "A statement under `always` has one of never, every and not_weaker_than.")
    case .statementUndecided:
      (
        "statement not decided",
        "Neither a proof nor a chain of requests was found. The finding names what decides it, such as a list that is not here."
      )
    }
  }
}
