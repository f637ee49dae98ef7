"""What of this proof needs no cluster: the ledger, the judge, times, templates, the alarms. `script/test` runs these."""
from __future__ import annotations

import collections
import glob
import os
import re
import subprocess
import tempfile
import unittest

from gatehouse_prove.failover import install, templates, watch
from gatehouse_prove.failover.control import invented
from gatehouse_prove.failover.faults import FAULTS, Fault, login
from gatehouse_prove.failover.figures import Figures, figures, first_after, longest_gap
from gatehouse_prove.failover.judge import Found, judge
from gatehouse_prove.failover.ledger import DONE, LOST, REFUSED, Answer, Attempt, Family, Ledger, Name
from gatehouse_prove.failover.report import troubles


def told() -> tuple[Ledger, Found]:
    """One user, as told and as found: signed up, signed in and out again, renamed, two exchanges."""
    ledger = Ledger()
    ledger.sign_ups["a@example.com"] = attempt(DONE, id="A1")
    ledger.sign_ins["a@example.com"] = attempt(DONE)
    ledger.sessions = {"s1", "s2"}
    ledger.sign_outs["s2"] = attempt(DONE)
    ledger.names["a@example.com"] = Name("second")
    ledger.families["s1"] = Family(exchanged=2)
    return ledger, Found(
        {"a@example.com": ["a1", "second", "2", "1", "1"]}, {"s1": ["f", ""], "s2": ["t", "signed_out"]},
        {"s1": ["3", "1", "2", "2", "t", "0"], "s2": ["1", "1", "0", "0", "f", "0"]})


def attempt(*outcomes: str, id: str = "") -> Attempt:  # pylint: disable=redefined-builtin
    """What came of these tries."""
    made = Attempt(id=id)
    for outcome in outcomes:
        made.tries[outcome] += 1
    return made


class AnswerTests(unittest.TestCase):
    """What a client may conclude from an answer."""

    def test_outcomes(self) -> None:
        """Only an answer that says so is a refusal."""
        for answer, outcome in (
            (Answer(200, {}), DONE), (Answer(0, {}), LOST), (Answer(503, {"code": "unknown_outcome"}), LOST),
            (Answer(503, {"code": "overloaded"}), REFUSED), (Answer(500, {"code": "internal"}), LOST),
            (Answer(502, {}, is_ours=False), LOST), (Answer(504, {}, is_ours=False), LOST),
            (Answer(503, {}, is_ours=False), REFUSED), (Answer(401, {"code": "session_revoked"}), REFUSED),
        ):
            self.assertEqual(answer.judged(200), outcome, answer)

    def test_tries(self) -> None:
        """One acknowledgement counts, then one lost answer."""
        self.assertEqual(attempt(LOST, REFUSED, DONE).outcome, DONE)
        self.assertEqual(attempt(REFUSED, LOST).outcome, LOST)
        self.assertEqual(attempt(REFUSED).outcome, REFUSED)

    def test_doubt(self) -> None:
        """An exchange whose answer was lost is in doubt until the next one; only three codes end a session."""
        family = Family()
        family.note(Answer(0, {}))
        self.assertTrue(family.in_doubt)
        family.note(Answer(503, {"code": "overloaded"}))
        self.assertTrue(family.in_doubt and not family.refused)
        family.note(Answer(200, {}))
        self.assertFalse(family.in_doubt)
        family.note(Answer(401, {"code": "session_revoked"}))
        self.assertEqual((family.exchanged, family.refused), (1, ["session_revoked"]))


class JudgeTests(unittest.TestCase):
    """What the judge notices, one damage at a time."""

    def assert_fault(self, word: str, ledger: Ledger, found: Found) -> None:
        """Exactly one fault, which begins so."""
        faults = judge(ledger, found)
        self.assertEqual([fault.startswith(word) for fault in faults], [True], faults)

    def test_control(self) -> None:
        """What was told and is there is no fault."""
        self.assertEqual(judge(*told()), [])

    def test_account(self) -> None:
        """An account that is lost, refused, by half, or of no client."""
        ledger, found = told()
        ledger.sign_ups["b@example.com"] = attempt(LOST, DONE, id="B1")
        self.assert_fault("lost: the account of b@", ledger, found)
        ledger, found = told()
        ledger.sign_ups["b@example.com"] = attempt(REFUSED)
        found.accounts["b@example.com"] = ["b1", "b", "1", "1", "1"]
        self.assert_fault("refused and there: the account of b@", ledger, found)
        ledger, found = told()
        found.accounts["a@example.com"][4] = "0"
        self.assert_fault("by half", ledger, found)
        ledger, found = told()
        found.accounts["b@example.com"] = ["b1", "b", "1", "1", "1"]
        self.assert_fault("asked for by no client", ledger, found)

    def test_unknown(self) -> None:
        """What was neither acknowledged nor refused may be there or not."""
        ledger, found = told()
        ledger.sign_ups["b@example.com"] = attempt(LOST)
        self.assertEqual(judge(ledger, found), [])
        found.accounts["b@example.com"] = ["b1", "b", "1", "1", "1"]
        self.assertEqual(judge(ledger, found), [])

    def test_sessions(self) -> None:
        """A session that is lost, ended, still open, or more than were made."""
        ledger, found = told()
        ledger.sessions.add("s3")
        self.assert_fault("lost: the session s3", ledger, found)
        ledger, found = told()
        found.sessions["s1"] = ["t", "reuse"]
        self.assert_fault("ended: the honest session s1 (reuse)", ledger, found)
        ledger, found = told()
        found.sessions["s2"] = ["f", ""]
        self.assert_fault("lost: the sign-out of s2", ledger, found)
        ledger, found = told()
        found.accounts["a@example.com"][2] = "3"
        self.assert_fault("refused and there: a@", ledger, found)
        ledger, found = told()
        ledger.turned_away.append("s1: session_revoked")
        self.assert_fault("ended: its owner", ledger, found)

    def test_names(self) -> None:
        """A profile may have a text of unknown outcome, and no older one."""
        ledger, found = told()
        ledger.names["a@example.com"].note("third", LOST)
        self.assertEqual(judge(ledger, found), [])
        found.accounts["a@example.com"][1] = "third"
        self.assertEqual(judge(ledger, found), [])
        found.accounts["a@example.com"][1] = "first"
        self.assert_fault("lost: the profile", ledger, found)

    def test_families(self) -> None:
        """A chain that is shorter or longer than its client saw, and one that was turned away."""
        for exchanged, in_doubt, word in (
            (3, False, "lost: 1 exchanges"), (1, False, "refused and there"), (0, True, "refused and there"),
        ):
            ledger, found = told()
            ledger.families["s1"] = Family(exchanged, in_doubt)
            self.assert_fault(word, ledger, found)
        ledger, found = told()
        ledger.families["s1"] = Family(1, True)
        self.assertEqual(judge(ledger, found), [])
        ledger.families["s1"] = Family(2, refused=["session_revoked"])
        self.assert_fault("ended: a refresh", ledger, found)

    def test_chains(self) -> None:
        """Two successors, two living heads, no living head."""
        for chain in (["3", "1", "2", "1", "t", "0"], ["3", "2", "2", "2", "t", "0"], ["3", "0", "2", "2", "t", "0"],
                      ["3", "1", "2", "2", "t", "1"]):
            ledger, found = told()
            found.chains["s1"] = chain
            self.assert_fault("forked", ledger, found)

    def test_invented(self) -> None:
        """The control by invention is noticed, and leaves the ledger as it was."""
        ledger, found = told()
        self.assertTrue(invented(ledger, found)[1])
        self.assertEqual(judge(ledger, found), [])


class FigureTests(unittest.TestCase):
    """Times."""

    def test_gap(self) -> None:
        """The ends of the window count."""
        self.assertEqual(longest_gap([1, 2, 6, 7], 0, 8), 4)
        self.assertEqual(longest_gap([1, 2], 0, 8), 6)
        self.assertEqual(longest_gap([], 0, 8), 8)
        self.assertEqual(first_after([1, 5, 6], 4, 9), 1)
        self.assertEqual(first_after([1], 4, 9), 5)

    def test_figures(self) -> None:
        """Kinds apart, failures by their code, only what came in the window."""
        good, bad = Answer(200, {}), Answer(500, {"code": "internal"})
        seen = figures([(0, 0.5, "me", bad, LOST), (1, 2, "refresh", good, DONE), (2, 3, "me", good, DONE),
                        (3, 5, "keys", good, DONE), (5, 6, "profile", bad, LOST)], 1, 7, 4, [(0.5, 7), (3, 6.5)])
        self.assertEqual((seen.writes, seen.reads, seen.keys, seen.after, seen.repeated), (5, 4, 4, 3, 0))
        self.assertEqual((seen.answers, dict(seen.failed), seen.internal), (4, {"profile internal": 1}, 1))

    def test_died(self) -> None:
        """What was under way when its process died is lost with it, and what was sent later is not."""
        bad = Answer(502, {})
        seen = figures([(1, 3, "me", bad, LOST), (2.5, 4, "me", bad, LOST)], 0, 9, died=2)
        self.assertEqual((sum(seen.failed.values()), seen.late), (2, 1))

    def test_troubles(self) -> None:
        """Each bound, and the factor that widens times and no counts."""
        fault = Fault("x", "x", lambda _: None, 1, writes=6, after=3, failed=2)
        seen = Figures(5, 5, 0.4, 0, 2, 10, collections.Counter(), 0, 0)
        self.assertEqual(troubles(fault, seen, 1), [])
        seen = Figures(7, 5, 0.6, 6, 4, 10, collections.Counter({"a": 3}), 3, 1)
        self.assertEqual(len(troubles(fault, seen, 1)), 6)
        self.assertEqual(len(troubles(fault, seen, 2)), 2)

    def test_form(self) -> None:
        """The full form has thirty failovers."""
        self.assertGreaterEqual(sum(fault.runs for fault in FAULTS if fault.fails_over), 30)


class TemplateTests(unittest.TestCase):
    """Files of deploy/ and what is put into them."""

    def test_fill(self) -> None:
        """The longer key first, no number cut, nothing put in twice."""
        self.assertEqual(templates.fill("10.0.0.1 10.0.0.11", {"10.0.0.1": "a"}), "a 10.0.0.11")
        self.assertEqual(templates.fill("/a/b /a", {"/a": "/x", "/a/b": "/y"}), "/y /x")
        self.assertEqual(templates.fill("ab", {"a": "b", "b": "c"}), "bc")

    def test_refused(self) -> None:
        """A key that is not there, and a placeholder that is left."""
        for text, keys in (("a", {"b": "c"}), ("a @NAME@", {"a": "b"})):
            with self.assertRaises(SystemExit):
                templates.fill(text, keys)

    def test_node(self) -> None:
        """patroni.yml as the cluster starts it keeps what makes it safe."""
        passwords = {f"@{word}_PASSWORD@": word for word in ("RESTAPI", "SUPERUSER", "REPLICATION", "REWIND")}
        text = templates.node("n2", "127.30.1", "/place/n2", "/pg/bin", passwords, None)
        for line in ("synchronous_mode: true", "synchronous_mode_strict: true", "name: n2", "listen: 127.30.1.2:5432", "ttl: 20"):
            self.assertIn(line, text)
        self.assertNotIn("10.0.0.", text)

    def test_member(self) -> None:
        """A member of etcd has its own name and all addresses."""
        settings = templates.member("n3", "127.30.1", "/place")
        self.assertEqual(settings["ETCD_NAME"], "n3")
        self.assertEqual(settings["ETCD_INITIAL_CLUSTER"].count("127.30.1."), 3)

    def test_version(self) -> None:
        """Patroni before 4.0 is refused."""
        self.assertEqual(install.demand_version("patroni 4.1.5\n"), "4.1.5")
        for text in ("patroni 3.0.2\n", "patroni 3.3.11\n", ""):
            with self.assertRaises(SystemExit):
                install.demand_version(text)

    def test_login(self) -> None:
        """A start packet says its own length."""
        packet = login("gatehouse_app")
        self.assertEqual(int.from_bytes(packet[:4], "big"), len(packet))


class ProxyTests(unittest.TestCase):
    """The configuration of HAProxy, by HAProxy."""

    def test_proxies(self) -> None:
        """HAProxy takes both files as they stand; the certificate alone is not there."""
        for name, pair in (("haproxy-database.cfg", None), ("haproxy-people.cfg", "/etc/haproxy/auth.example.com.pem")):
            with open(os.path.join(watch.DEPLOY, name), encoding="utf-8") as file:
                text = file.read().replace(f" ssl crt {pair} alpn h2,http/1.1", "")
            done = subprocess.run([str(install.found("haproxy")), "-c", "-f", "/dev/stdin"], input=text, capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stderr.count("ALERT")), (0, 0), done.stderr)


class WatchTests(unittest.TestCase):
    """Alarms and the dashboard."""

    def test_metrics(self) -> None:
        """Every metric that they name exists."""
        self.assertEqual(watch.unknown(), [])

    def test_names(self) -> None:
        """The control: a metric that does not exist is seen, and words of the language are none."""
        expression = 'sum by (tenant) (rate(gatehouse_no_such_total{code="x_y"}[5m])) > bool 1'
        self.assertEqual(watch.names(expression), {"gatehouse_no_such_total"})

    def test_pages(self) -> None:
        """Each alarm is in the table of its page, and each row of a table has an alarm that watches what the row says."""
        self.assertEqual(watch.undocumented(), [])

    def test_one_host(self) -> None:
        """The alarms of one host watch nothing that only a cluster has."""
        self.assertEqual(watch.foreign(), [])

    def test_severity(self) -> None:
        """Where the only server is away, people are: the alarm of that is critical, as is that of refused writes."""
        text = watch.read("deploy", "prometheus-rules.yml")
        for alarm in ("GatehouseAllServersAway", "GatehouseDatabaseRefusesWrites", "GatehouseMailsWait", "GatehouseErrors"):
            self.assertRegex(text, rf"alert: {alarm}\n(?: +(?:#|expr|for).*\n)+ +labels: {{severity: critical}}")

    def test_differences(self) -> None:
        """The control: an alarm without a row, a row without an alarm and a row of another metric are seen."""
        page = ("| Alarm | Condition | Meaning |\n|---|---|---|\n| `A`, `B` | `gatehouse_a_b > 1` | x |\n"
                "| `C` | `gatehouse_c_d` rises | x |\n| `E` | it rains | x |\n")
        file = ("  - alert: A\n    expr: gatehouse_a_b > 2\n  - alert: C\n    # Why.\n    expr: rate(gatehouse_x_y[5m]) > 0\n"
                "  - alert: D\n    expr: gatehouse_d_e == 1\n  - alert: E\n    expr: gatehouse_e_f == 1\n")
        self.assertEqual(watch.differences(watch.rules(file), watch.listed(page)), [
            "D is not documented", "B has no rule", "C watches ['gatehouse_x_y'], the page says ['gatehouse_c_d']",
            "E watches ['gatehouse_e_f'], the page says []"])


class UnitTests(unittest.TestCase):
    """The units of systemd."""

    @unittest.skipUnless(install.found("systemd-analyze"), "systemd-analyze is missing")
    def test_units(self) -> None:
        """systemd takes them, but for programs and pages that are not installed here."""
        units = sorted(glob.glob(os.path.join(watch.DEPLOY, "*.service")) + glob.glob(os.path.join(watch.DEPLOY, "*.timer")))
        self.assertEqual(len(units), 10)
        self.assertEqual(self.verified(units), [])

    @unittest.skipUnless(install.found("systemd-analyze"), "systemd-analyze is missing")
    def test_control(self) -> None:
        """The control: a unit with a word that systemd does not know is seen."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gatehouse-control.service")
            with open(path, "w", encoding="utf-8") as file:
                file.write("[Service]\nExecStart=/bin/true\nRestart=sometimes\n")
            self.assertNotEqual(self.verified([path]), [])

    @staticmethod
    def verified(units: list[str]) -> list[str]:
        """The complaints of systemd about them."""
        done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
        said = [line for line in done.stderr.splitlines() if os.path.dirname(units[0]) in line or line.split(":")[0] in map(
            os.path.basename, units)]
        return [line for line in said if "is not executable" not in line and "file:/" not in line]

    def test_instances(self) -> None:
        """The unit of several servers is that of one, but for what names the instance."""
        one, several = (watch.read("deploy", name).split("[Unit]\n")[1].splitlines() for name in ("gatehouse.service", "gatehouse@.service"))
        named = [line for line in several if line not in one]
        self.assertEqual([line for line in named if "%i" not in line and "gatehouse.service" not in line], [])
        self.assertEqual([line for line in one if line not in several], [
            "Description=Gatehouse authentication server", "RuntimeDirectory=gatehouse"])

    def test_hardened(self) -> None:
        """The unit of dumps gives up all that the server's does, and runs as another user."""
        wanted, found = (set(watch.read("deploy", name).splitlines()) for name in ("gatehouse.service", "gatehouse-backup.service"))
        shut = {line for line in wanted if re.match("(No|Private|Protect|Restrict|Lock|Memory|System|Capability|UMask).*=", line)}
        self.assertEqual((shut - found, len(shut) > 15), (set(), True))
        self.assertTrue({"User=gatehouse-backup", "StateDirectory=gatehouse-backup", "StateDirectoryMode=0700"} <= found)

    def test_files(self) -> None:
        """Each file that a step of the pages copies is in the checkout."""
        for folder, page in (("deploy", "README.md"), ("docs", "operations.md")):
            for line in re.findall(r"^\s*(?:install|cp) (.+)$", watch.read(folder, page), re.MULTILINE):
                words = [word for word in line.split(" && ")[0].split()[:-1] if re.match("(config|deploy|docs|README)", word)]
                for word in words:
                    self.assertTrue(os.path.exists(os.path.join(watch.ROOT, word)), f"{page}: {line}")
