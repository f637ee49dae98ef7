// What the hosted pages have besides plain forms. All of them work without it: it only adds, says no words of its
// own, and sends no form but that of a complete code.
(() => {
  "use strict";
  const api = document.currentScript.dataset.api;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // The switch that shows passwords needs no round trip. Its words say what it does next.
  const show = (form, isShown) => {
    for (const field of all("input.secret", form)) {
      field.type = isShown ? "text" : "password";
      field.spellcheck = false;
      field.setAttribute("autocapitalize", "none");
      field.setAttribute("autocorrect", "off");
    }
    for (const toggle of all(".toggle", form)) {
      toggle.value = isShown ? "0" : "1";
      toggle.textContent = isShown ? toggle.dataset.hide : toggle.dataset.show;
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
    const tell = (score, rules) => {
      if (list) mark(list, new Map(rules.map((row) => [row.rule, row.verdict])));
      const text = score === null ? "" : words[Math.max(0, score - 1)] || "";
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
        if (mine === request && field.value) tell(verdict.score, verdict.rules);
      } catch {
        if (mine === request) tell(null, []);
      }
    };
    form.addEventListener("input", (event) => {
      if (event.target !== field && !field.value) return;
      clearTimeout(timer);
      if (request) request.abort();
      request = undefined;
      if (field.value) timer = setTimeout(judge, 300);
      else tell(null, []);
    });
  }

  // The time until something may be done again; where a form for it follows, it takes the place of the time.
  for (const wait of all(".wait[data-seconds]")) {
    const end = Date.now() + Number(wait.dataset.seconds) * 1000;
    const later = wait.nextElementSibling;
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left > 0) {
        const isLong = left > 90;
        const text = left === 1 ? wait.dataset.one : isLong ? wait.dataset.minutes : wait.dataset.many;
        if (text) wait.textContent = text.replace("#", String(isLong ? Math.ceil(left / 60) : left));
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
    time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, form);
  }

  // A mailed code sends its form once it is complete. One that was sent, or that comes back refused, has to change.
  const digits = (field) => field.value.replace(/\P{Nd}/gu, "");
  for (const field of all("input.code")) {
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
    // Browsers remember what was typed into a plain field.
    show(form, false);
    busy.set(form, setTimeout(free, 10000, form));
    for (const button of all("button[type=submit]", form)) button.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", () => [...busy.keys()].forEach(free));
})();
