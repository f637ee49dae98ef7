"""Second factors: who adds and removes them, what a code opens, and what ends with them."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, met, skipped, unmet

ROWS = "FactorRowsTests"
SESSIONS = "FactorSessionTests"
KEYS = "PasskeyRowsTests"
ADDED = "PasskeyEnrolmentTests"
SIGNED_IN = "PasskeySignInTests"
SECOND = "PasskeyFactorTests"
SIGNED_UP = "PasskeySignUpTests"
HIDDEN = "HiddenPasskeySignUpTests"
MOVED = "PasskeyMoveTests"
LIFE = "PasskeyLifeTests"

GUARDS: list[Guard] = [
    guard("factor: of a kind that the policy has", "EnrolmentDoorTests/noSection", met),
    guard("factor: added by a fresh proof", f"EnrolmentDoorTests/stale|{SESSIONS}/passwordAlone", skipped),
    guard("factor: enrolled once", "EnrolmentTests/once", becomes("[.factor(.add(app))]")),
    guard("factor: removed by a fresh proof", f"{SESSIONS}/(passwordAlone|stale)", skipped),
    guard("factor: so many for each account", f"{ROWS}/sixth", met),
    guard("factor: of this account", f"{ROWS}/foreign", met),
    guard("factor: sessions that it lifted end with it", "FactorRemovalTests/lifted", unmet),
    guard("totp: a code is taken once", f"{ROWS}/(steps|once|race)", met),
    guard("totp: so many wrong codes", f"{ROWS}/(tries|countedAtOnce)", met),
    guard("recovery codes: made by a fresh proof", f"RecoveryCodeTests/renewed|{SESSIONS}/passwordAlone", skipped),
    guard("recovery code: of this account", f"{ROWS}/foreign", met),
    guard("recovery code: once", f"{ROWS}/(once|race)", met),
    guard("remembered device: as long as the policy says", "RememberedDeviceTests/(time|shorter)", met),
    guard("remembered device: of this epoch", f"{ROWS}/remembered|RememberedDeviceTests/ended", met),
    guard("grace: begins once", f"{ROWS}/grace", met),
    guard("grace: of those who are asked", "FactorDemandTests/grace", becomes("[]")),
    # A password alone is not enough beside a second factor.
    guard("second factor: no password alone", f"{SESSIONS}/passwordAlone", met),
    guard("second factor: no change of a password by the password alone", f"{SESSIONS}/passwordAlone", skipped),
    guard("fresh proof: by a second factor", f"ProofsTests/freshBeside|{SESSIONS}/passwordAlone", met),
    guard("fresh proof: of an account that owes a second factor by one alone", f"{SESSIONS}/passwordAlone",
          becomes("false")),
    guard("fresh proof: by no remembered device", "ProofsTests/rememberedDevice", met),
    guard("step-up: the highest level of the account", "StepUpTests/weaker", met),
    guard("step-up: a passkey of another domain", "StepUpTests/otherDomain", met),
    guard("step-up: a passkey that the policy refuses", "StepUpTests/refused", met),
    guard("step-up: a recovery code for factors alone", "StepUpTests/recovery", met),
    guard("fresh proof: tries at a second factor", "SecondProofRaceTests/limit", becomes("Counted.none")),
    guard("raised session: another id", f"{SESSIONS}/(enrolled|stepUp)", unmet),
    guard("raised session: proofs as they were seen", f"{ROWS}/overtaken", met),
    # What a stranger put there goes with the stranger.
    guard("reset: factors from before the proof", "FactorWaysTests/firstProof", skipped),
    guard("reclaim: factors", "FactorWaysTests/reclaim", becomes("false")),
    guard("undo: factors of since go", "FactorWaysTests/undo", unmet),
    guard("undo: recovery codes of since go", "FactorWaysTests/undo", unmet),
    # Passkeys.
    guard("passkey: made without its owner as an upgrade alone", "PasskeyOfferPageTests/notSilently", becomes("true")),
    guard("passkey: added by a fresh proof", f"{ADDED}/stale", skipped),
    guard("passkey: so many for each account", f"{KEYS}/room", met),
    guard("passkey: sign-ins that begin at an address", f"{SIGNED_IN}/limited", skipped),
    guard("passkey: signs in where the policy says so", f"{SIGNED_IN}/notForSignIn", met),
    guard("passkey: a disabled person stays out", f"{SIGNED_IN}/disabled", met),
    guard("passkey: a challenge opens one session", f"{SIGNED_IN}/replayed", becomes("[]")),
    guard("passkey: a counter that did not rise", f"{SIGNED_IN}/counter", met),
    guard("passkey: a counter that must rise", f"{KEYS}/counter", met),
    guard("passkey: the name of one of this account", f"{KEYS}/foreign", met),
    guard("passkey: removed by its owner", f"{KEYS}/foreign", met),
    guard("factor: the name of one of this account", f"{ROWS}/foreign", met),
    guard("fresh proof: a challenge of a passkey proves once", f"{SECOND}/fresh", becomes("[]")),
    guard("second proof: another one than the first", "SecondProofTests/verified", met),
    guard("relying party: a domain of a verified host", f"{ADDED}/party", met),
    guard("relying party: localhost in development alone", f"{ADDED}/noHost", met),
    guard("reclaim: passkeys", f"{SECOND}/reclaim", becomes("false")),
    guard("undo: passkeys of since go", f"{SECOND}/undo", unmet),
    guard("passkey: signs up where the policy says so", f"{SIGNED_UP}/off", met),
    guard("passkey: sign-ups that begin at an address", f"{SIGNED_UP}/limited", skipped),
    guard("passkey: a challenge makes one account", f"{SIGNED_UP}/replayed", becomes("[]")),
    guard("passkey: sign-up that waits", f"{HIDDEN}/turnedOff", met),
    guard("relying party: the one before until its day", f"{MOVED}/signsIn", met),
    guard("passkey: of a relying party that proves", f"{MOVED}/(signsIn|unnamed)", met),
    guard("factor: the last way in", f"{LIFE}/last", becomes("[]")),
    guard("way in: a passkey of a party that stays", "ProviderRowsTests/passkey", met),
]
