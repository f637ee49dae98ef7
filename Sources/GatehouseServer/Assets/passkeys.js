// Passkeys on the hosted pages. A form with `data-passkey` is hidden until this script shows it: a page that runs no
// scripts has no button that does nothing. The form is sent as any other, with the answer of the authenticator in it.
(() => {
  "use strict";
  const container = navigator.credentials;
  const { signal } = document.currentScript.dataset;
  if (!window.PublicKeyCredential || !container) return;
  const forms = [...document.querySelectorAll("form[data-passkey]")];

  // The bytes of WebAuthn's JSON are base64url without padding.
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
  const text = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""))
      .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  const read = (json, isNew) => {
    const own = isNew
      ? PublicKeyCredential.parseCreationOptionsFromJSON
      : PublicKeyCredential.parseRequestOptionsFromJSON;
    if (own) return own.call(PublicKeyCredential, json);
    const named = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));
    const options = { ...json, challenge: bytes(json.challenge) };
    if (isNew) {
      options.user = { ...json.user, id: bytes(json.user.id) };
      options.excludeCredentials = named(json.excludeCredentials);
    } else {
      options.allowCredentials = named(json.allowCredentials);
    }
    return options;
  };

  // Written by hand in every browser: some extensions hand out credentials whose own `toJSON` fails.
  const written = ({ id, rawId, type, response }) => {
    const parts = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (response[name]) parts[name] = text(response[name]);
    }
    if (response.getTransports) parts.transports = response.getTransports();
    return { id, rawId: text(rawId), type, response: parts };
  };

  const tell = (form, message) => {
    let line = form.querySelector("[role=alert]");
    if (!line) {
      line = document.createElement("p");
      line.className = "error";
      line.setAttribute("role", "alert");
      form.append(line);
    }
    line.textContent = message;
  };

  // The person's passkey manager is told which passkeys the account has, and its name: it shows no others. A browser
  // without such a signal, or a manager that takes none, changes nothing.
  const signalled = (async () => {
    if (!signal) return;
    const { rpId, userId, allAcceptedCredentialIds, name, displayName } = JSON.parse(signal);
    const say = async (what, values) => PublicKeyCredential[what] && PublicKeyCredential[what](values);
    await Promise.allSettled([
      say("signalAllAcceptedCredentials", { rpId, userId, allAcceptedCredentialIds }),
      say("signalCurrentUserDetails", { rpId, userId, name, displayName }),
    ]);
  })();

  // The options: those of the page, else new ones of the server. Without options there is no answer.
  const asked = async (form) => {
    if (form.dataset.options) return { public_key: JSON.parse(form.dataset.options) };
    const body = new URLSearchParams(new FormData(form));
    body.set("options", "1");
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    const isJSON = (answer.headers.get("content-type") || "").startsWith("application/json");
    const found = answer.ok && isJSON ? await answer.json() : {};
    if ("former" in form.dataset) found.public_key = found.former_public_key;
    if (!found.public_key) throw new Error("no options");
    return found;
  };

  // Takes fields of the page's main form along.
  const borrow = (form) => {
    for (const name of (form.dataset.fields || "").split(" ").filter(Boolean)) {
      const field = document.querySelector(`form:not([data-passkey]) [name="${name}"]`);
      const own = form.elements[name] || document.createElement("input");
      own.type = "hidden";
      own.name = name;
      own.value = !field || (field.type === "checkbox" && !field.checked) ? "" : field.value;
      form.append(own);
    }
  };

  // Sends a form by its own button, so that everything else that happens to a form happens to it.
  const press = (form) => form.querySelector("[type=submit]").click();
  const answered = new Set();
  const deliver = (form) => {
    borrow(form);
    answered.add(form);
    press(form);
    answered.delete(form);
  };
  const send = (form, challenge, answer) => {
    form.elements.challenge.value = challenge || "";
    form.elements.passkey.value = answer ? JSON.stringify(answer) : "";
    deliver(form);
  };

  // What a page tries by itself holds up nothing: it goes on by its other form.
  const pass = (form) => "silent" in form.dataset && press(document.querySelector("main form:not([data-passkey])"));

  // One request at a time: a browser has one dialog. The newest one ends the one before.
  let current;
  let renewal = 0;
  const stop = () => {
    clearTimeout(renewal);
    if (current) current.abort();
    current = undefined;
  };
  const use = async (form, mediation) => {
    stop();
    const mine = (current = new AbortController());
    const isNew = form.dataset.passkey === "create";
    let found;
    try {
      borrow(form);
      if (isNew) await signalled;
      found = await asked(form);
    } catch {
      if (mine !== current) return;
      // The server says why on a page. A request that the person did not make fails in silence.
      return mediation ? pass(form) : send(form);
    }
    if (mine !== current) return;
    if (mediation && !isNew) renewal = setTimeout(use, 240000, form, mediation);
    try {
      const request = { publicKey: read(found.public_key, isNew), signal: mine.signal };
      if (mediation) request.mediation = mediation;
      const credential = await (isNew ? container.create(request) : container.get(request));
      if (mine !== current) return;
      stop();
      send(form, found.challenge_id, written(credential));
    } catch ({ name }) {
      if (mine !== current) return;
      if (mediation) return pass(form);
      const { cancelled, known, failed } = form.dataset;
      const isGivenUp = name === "NotAllowedError" || name === "AbortError";
      tell(form, isGivenUp ? cancelled : name === "InvalidStateError" && known ? known : failed);
      wait();
    }
  };

  // Where the browser offers passkeys in the field of the address, a request waits for the person to choose one.
  const wait = async () => {
    const form = forms.find((one) => "waits" in one.dataset);
    const isOffered = PublicKeyCredential.isConditionalMediationAvailable;
    if (!form || !isOffered || !(await isOffered.call(PublicKeyCredential))) return;
    use(form, "conditional");
  };

  // A passkey that is made without a dialog. Whether one comes of it is not waited for long.
  const make = (form) => {
    use(form, "conditional");
    setTimeout(() => {
      if (!current) return;
      stop();
      pass(form);
    }, 5000);
  };

  // The sign-in says what this browser could do after it.
  const offer = async (field) => {
    field.value = "offer";
    const able = PublicKeyCredential.getClientCapabilities;
    if (able && (await able.call(PublicKeyCredential)).conditionalCreate) field.value = "silent";
  };

  for (const form of forms) {
    form.hidden = "silent" in form.dataset;
    form.addEventListener("submit", (event) => {
      // A button with a name is for another end, as the one of another language.
      if (answered.has(form) || (event.submitter && event.submitter.name)) return;
      // A kept answer goes along: a form cannot be sent anew while it is sent.
      if ("kept" in form.dataset) {
        delete form.dataset.kept;
        return borrow(form);
      }
      event.preventDefault();
      use(form);
    });
    if (form.hidden) make(form);
  }
  for (const field of document.querySelectorAll("input[name=upgrade]")) offer(field).catch(() => {});
  for (const part of document.querySelectorAll("[data-with-passkeys]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-without-passkeys]")) part.hidden = true;
  // Another form that is sent ends the request that waits.
  document.addEventListener("submit", ({ target }) => forms.includes(target) || stop(), true);
  // A page that comes back by the browser's own way has no request any more.
  addEventListener("pageshow", ({ persisted }) => persisted && wait());
  wait();
})();
