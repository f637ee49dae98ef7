"""Chains of attack, played from outside against a real server, each from its first request to what the attacker got.

A chain ends in one of three ways: the attack works, it is refused, or it could not be played. Only the second one is good:
a chain that breaks shows nothing."""
from __future__ import annotations

import http.client
from collections.abc import Callable

from gatehouse_bench.server import place
from gatehouse_prove.attacks import address, admin, codes, flight, hijack
from gatehouse_prove.attacks.provider import Provider
from gatehouse_prove.attacks.stage import Stage
from gatehouse_prove.attacks.verdict import Broke, Finding, Refused, Verdict

CHAINS: dict[str, Callable[[Stage], Finding]] = {
    "webhook-test": admin.webhook_test,
    "host-verify": admin.host_verify,
    "provider-moved": admin.provider_moved,
    "provider-added": admin.provider_added,
    "continue-added": admin.continue_added,
    "webhook-reads": admin.webhook_reads,
    "profile-keys": admin.profile_keys,
    "admin-keys": admin.admin_keys,
    "undo-of-undo": address.undo_of_undo,
    "link-alone": address.link_alone,
    "undo-blocked": address.undo_blocked,
    "password-in-flight": flight.password_in_flight,
    "email-in-flight": flight.email_in_flight,
    "link-in-flight": flight.link_in_flight,
    "hidden-sign-up": hijack.hidden_sign_up,
    "one-click": address.one_click,
    "identity-stays": flight.identity_stays,
    "silent-device": hijack.silent_device,
    "password-door": hijack.password_door,
    "reset-voided": codes.reset_voided,
    "code-killed": codes.code_killed,
    "reset-code-killed": codes.reset_code_killed,
    "codes-switched-off": codes.codes_switched_off,
}


def prove(program: str, only: list[str] | None = None) -> bool:
    """Plays the chains, and prints one line for each; good when every attack is refused."""
    good = True
    with place() as path:
        provider = Provider(path)
        try:
            stage = Stage(program, path, provider)
            try:
                print(f"{'chain':20} {'verdict':17} what the attacker got, or what stopped them", flush=True)
                for name in only or CHAINS:
                    finding = play(CHAINS[name], stage)
                    print(f"{name:20} {finding.verdict.value:17} {finding.what}", flush=True)
                    good = good and finding.verdict is Verdict.REFUSED
            finally:
                stage.close()
        finally:
            provider.close()
    return good


def play(chain: Callable[[Stage], Finding], stage: Stage) -> Finding:
    """One chain to its end."""
    try:
        return chain(stage)
    except Refused as refused:
        return Finding(Verdict.REFUSED, str(refused))
    except Broke as broke:
        return Finding(Verdict.BROKE, str(broke))
    except (OSError, http.client.HTTPException, LookupError, ValueError) as error:
        if not stage.is_up:
            stage.revive()
        return Finding(Verdict.BROKE, f"{type(error).__name__}: {error}")
