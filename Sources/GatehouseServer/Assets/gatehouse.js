// What the hosted pages have besides plain forms. All of them work without it: it only adds, says no words of its
// own, and sends no form but that of a complete code.
(() => {
  "use strict";
  const { api, caps, offline, retry } = document.currentScript.dataset;
  // Digits are those of the pages in every language.
  const language = document.documentElement.lang + "-u-nu-latn";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const make = (tag, kind, text, role) => {
    const element = document.createElement(tag);
    element.className = kind;
    element.textContent = text;
    if (role) element.setAttribute("role", role);
    return element;
  };

  // The buttons that show passwords need no round trip. Their names say what they do next.
  const show = (form, isShown) => {
    for (const field of all("input.secret", form)) {
      field.type = isShown ? "text" : "password";
      field.spellcheck = false;
      field.setAttribute("autocapitalize", "none");
      field.setAttribute("autocorrect", "off");
    }
    for (const toggle of all(".toggle", form)) {
      toggle.value = isShown ? "0" : "1";
      toggle.setAttribute("aria-label", isShown ? toggle.dataset.hide : toggle.dataset.show);
    }
    for (const shown of all("input[name=shown]", form)) shown.value = isShown ? "1" : "0";
  };
  for (const toggle of all("form .toggle")) {
    const form = toggle.form;
    toggle.type = "button";
    toggle.removeAttribute("name");
    toggle.setAttribute("aria-controls", all("input.secret", form).map((field) => field.id).join(" "));
    show(form, toggle.value === "0");
    toggle.addEventListener("click", () => show(form, toggle.value === "1"));
  }

  // The error of a field follows a correction, by the rules that its attributes name. The server judges the
  // form in any case.
  const tests = {
    needed: (text) => text !== "",
    least: (text, bound) => !text || [...text].length >= bound,
    most: (text, bound) => [...text].length <= bound,
    from: (text, bound) => !text || !(Number(text) < bound),
    to: (text, bound) => !text || !(Number(text) > bound),
    characters: (text, set) => new RegExp(`^[${set}]*$`, "u").test(text),
    address: (text) => !text || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
    domains: (text, list) => !text || list.split(" ").some((domain) => {
      const own = text.toLowerCase().split("@").pop();
      return domain.startsWith("*.") ? own.endsWith(domain.slice(1)) : own === domain;
    }),
    secure: (text) => !text || /^https\b/i.test(text),
    phone: (text) => !text || /^(\+?1)?\d{10}$/.test(text.replace(/[\s().-]/g, "")),
    same: (text, name, form) => text === form.elements[name].value,
  };
  const digits = (field) => field.value.replace(/\P{Nd}/gu, "");
  // What the server would read: of a code its digits, of a secret each character.
  const read = (field) => {
    if (field.matches(".code")) return digits(field);
    return field.matches(".secret") ? field.value : field.value.trim().normalize();
  };
  const problem = (field) => {
    const text = read(field);
    for (const [name, passes] of Object.entries(tests)) {
      const [value, told] = (field.dataset[name] || "").split("\n");
      if (told && !passes(text, value, field.form)) return told;
    }
    return "";
  };
  const tell = (field, text) => {
    const id = field.id + "-error";
    const others = (field.getAttribute("aria-describedby") || "").split(" ").filter((one) => one && one !== id);
    let line = document.getElementById(id);
    if (text && !line) {
      line = make("p", "error", "", "alert");
      line.id = id;
      (field.closest(".box") || field).after(line);
    }
    if (text && line.textContent !== text) line.textContent = text;
    if (!text && line) line.remove();
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    const about = others.concat(text ? id : []).join(" ");
    if (about) field.setAttribute("aria-describedby", about);
    else field.removeAttribute("aria-describedby");
    // The summary and the title say what is wrong still.
    const summary = document.querySelector(".trouble");
    const link = summary && summary.querySelector(`a[href="#${CSS.escape(field.id)}"]`);
    if (link && text) link.textContent = text;
    if (link && !text) link.closest("li").remove();
    if (summary && !summary.querySelector("li")) {
      summary.remove();
      document.title = document.title.replace(/^[^:·]+: /, "");
    }
  };
  // A press that leaves a field ends first: a line that appears meanwhile would move the button away from under it.
  let isPressed = false;
  const pending = new Set();
  const afterPress = (act) => (isPressed ? pending.add(act) : setTimeout(act));
  const release = () => {
    isPressed = false;
    for (const act of pending) act();
    pending.clear();
  };
  addEventListener("pointerdown", () => (isPressed = true), true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release), true);
  for (const field of all("form .field :is(input, select, textarea)")) {
    const isInvalid = () => field.hasAttribute("aria-invalid");
    if (field.matches("[autocomplete=new-password]") && field.closest(".field").querySelector(".strength")) continue;
    // What the server refused stays refused until it changes.
    const refused = isInvalid() ? read(field) : null;
    const isAnswered = () => isInvalid() && read(field) !== refused;
    const judge = () => {
      const text = problem(field);
      if (text || isAnswered()) tell(field, text);
    };
    field.addEventListener("change", () => afterPress(judge));
    // While it is typed a field is told that it is right, and never that it is wrong.
    field.addEventListener("input", () => isAnswered() && !problem(field) && tell(field, ""));
  }
  for (const field of all("form input[data-same]")) {
    const first = field.form.elements[field.dataset.same.split("\n")[0]];
    first.addEventListener("change", () => afterPress(() => field.value && tell(field, problem(field))));
  }

  // A key that changes what is typed unseen.
  for (const field of all("form input.secret")) {
    const line = make("p", "caps", "", "status");
    field.closest(".box").after(line);
    const look = (event) => {
      if (event.getModifierState) line.textContent = event.getModifierState("CapsLock") ? caps : "";
    };
    field.addEventListener("keydown", look);
    field.addEventListener("keyup", look);
    field.addEventListener("blur", () => (line.textContent = ""));
  }

  // The checklist of a new password, as the server judges it.
  const mark = (list, verdicts) => {
    for (const line of all("li[data-rule]", list)) {
      const verdict = verdicts.get(line.dataset.rule);
      const state = verdict === undefined ? "" : verdict === "pass" ? "met" : "unmet";
      if (line.className === state) continue;
      line.className = state;
      line.setAttribute("aria-atomic", "true");
      let told = line.querySelector(".told");
      if (!told) {
        told = document.createElement("span");
        told.className = "told";
        line.append(told);
      }
      told.textContent = state ? " (" + list.dataset[state] + ")" : "";
    }
  };
  const facts = (form, password) => {
    const found = { password };
    const email = form.querySelector("input[name=email], input[name=username]");
    if (email && email.value) found.email = email.value;
    for (const field of all("input[name^='profile.']", form)) {
      if (field.type === "checkbox" || !field.value) continue;
      found.profile = found.profile || {};
      found.profile[field.name.slice(8)] = field.value;
    }
    return found;
  };
  for (const strength of all("form .strength[data-words]")) {
    const form = strength.closest("form");
    const field = form.querySelector("input.secret[autocomplete=new-password]");
    if (!field || !api) continue;
    strength.classList.add("kept");
    const list = form.querySelector("ul.rules");
    const words = strength.dataset.words.split("|");
    let timer = 0;
    let request;
    const say = (score, rules) => {
      const isGood = rules.length > 0 && rules.every((row) => row.verdict !== "fail");
      if (isGood && field.hasAttribute("aria-invalid")) tell(field, "");
      if (list) mark(list, new Map(rules.map((row) => [row.rule, row.verdict])));
      // Few characters are soon guessed, of any kind.
      const most = [...field.value].length < 8 ? 1 : 3;
      const text = score === null ? "" : words[Math.min(most, Math.max(0, score - 1))] || "";
      if (strength.textContent !== text) strength.textContent = text;
    };
    const judge = async () => {
      const mine = (request = new AbortController());
      try {
        const answer = await fetch(api + "/password-check", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(facts(form, field.value)),
          credentials: "omit",
          signal: mine.signal,
        });
        // Without a verdict the list says what it says without scripts.
        const verdict = answer.ok ? await answer.json() : { score: null, rules: [] };
        if (mine === request && field.value) say(verdict.score, verdict.rules);
      } catch {
        if (mine === request) say(null, []);
      }
    };
    form.addEventListener("input", (event) => {
      if (event.target !== field && !field.value) return;
      clearTimeout(timer);
      if (request) request.abort();
      request = undefined;
      if (field.value) timer = setTimeout(judge, 300);
      else say(null, []);
    });
  }

  // The time until something may be done again; where a form for it follows, it takes the place of the time.
  const plural = new Intl.PluralRules(language);
  for (const wait of all(".wait[data-seconds]")) {
    const end = Date.now() + Number(wait.dataset.seconds) * 1000;
    const later = wait.nextElementSibling;
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left > 0) {
        const isLong = left > 90;
        const count = isLong ? Math.ceil(left / 60) : left;
        const form = (isLong ? "minutes-" : "") + plural.select(count);
        const text = wait.getAttribute("data-" + form) || (isLong ? wait.dataset.minutes : wait.dataset.many);
        if (text) wait.textContent = text.replace("#", String(count));
        setTimeout(tick, 1000);
      } else if (later && later.hidden) {
        wait.hidden = true;
        later.hidden = false;
      }
    };
    tick();
  }

  // Times of the day are told in the reader's own zone.
  for (const time of all("time.clock")) {
    const form = { hour: "numeric", minute: "2-digit" };
    time.textContent = new Date(time.dateTime).toLocaleTimeString(language, form);
  }

  // A code sends its form once it is complete, unless there is more to choose. One that was sent, or that comes back
  // refused, has to change.
  for (const field of all("input.code")) {
    if (field.form.querySelector("[type=checkbox]")) continue;
    let sent = digits(field);
    field.addEventListener("input", (event) => {
      const typed = digits(field);
      if (event.isComposing || typed === sent || typed.length !== Number(field.dataset.digits)) return;
      sent = typed;
      if (field.form.requestSubmit) field.form.requestSubmit();
    });
  }

  // A number of the United States as people there write it, once its field is left: the caret is let alone.
  for (const field of all("input[type=tel][data-region=US]")) {
    field.addEventListener("change", () => {
      const parts = /^(?:\+?1)?([2-9]\d\d)(\d{3})(\d{4})$/.exec(field.value.replace(/[\s().-]/g, ""));
      if (parts) field.value = `(${parts[1]}) ${parts[2]}-${parts[3]}`;
    });
  }

  // Times as far away as they are, or by the clock of the reader.
  for (const time of all("time:not(.clock)")) {
    const then = new Date(time.dateTime);
    const minutes = Math.round((then - Date.now()) / 60000);
    const far = (count, unit) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(count, unit);
    time.title = time.textContent;
    if (minutes > -60) time.textContent = far(Math.min(0, minutes), "minute");
    else if (minutes > -1440) time.textContent = far(Math.round(minutes / 60), "hour");
    else time.textContent = then.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
  }

  // A verification in another tab leads this one on. The page is asked a few times at most.
  const waiting = document.querySelector("[data-awaits]");
  let looks = 20;
  if (waiting) {
    document.addEventListener("visibilitychange", async () => {
      if (document.visibilityState !== "visible" || looks-- <= 0) return;
      const page = location.pathname + "?f=" + document.querySelector("form input[name=f]").value;
      const answer = await fetch(page, { redirect: "manual" }).catch(() => undefined);
      if (answer && answer.type === "opaqueredirect") location.assign(page);
    });
  }

  // On a wide screen without touch the first empty field has the focus. Elsewhere a keyboard would cover the page.
  const isWide = matchMedia("(min-width: 40rem)").matches && !matchMedia("(pointer: coarse)").matches;
  if (isWide && !document.querySelector(".trouble, .notice")) {
    const first = all("#form .field :is(input:not([type=checkbox]), textarea)").find((field) => !field.value);
    if (first && document.activeElement === document.body) first.focus();
  }

  // A form that is on its way is not sent again. Time, or the way back, ends that: no button stays dead.
  const busy = new Map();
  const free = (form) => {
    clearTimeout(busy.get(form));
    busy.delete(form);
    for (const button of all("button[aria-busy]", form)) button.removeAttribute("aria-busy");
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (busy.has(form)) return event.preventDefault();
    for (const line of all(".offline", form)) line.remove();
    if (!navigator.onLine) {
      const line = make("div", "offline", "", "alert");
      const again = make("button", "", retry);
      again.type = "submit";
      line.append(make("p", "", offline), again);
      form.append(line);
      return event.preventDefault();
    }
    // Browsers remember what was typed into a plain field.
    show(form, false);
    busy.set(form, setTimeout(free, 10000, form));
    for (const button of all("button[type=submit]", form)) button.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", () => [...busy.keys()].forEach(free));
})();
