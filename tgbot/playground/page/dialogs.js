// The page's few forms, as native dialogs.

import { bdi, el, fullName } from "./dom.js";
import { LANGUAGES, languageOf } from "./words.js";

/** Shows a form and answers its FormData, or null when it was dismissed. */
function ask({ title, fields, submit, words }) {
  const form = el("form", { method: "dialog" },
    el("h2", {}, title),
    ...fields,
    el("div", { class: "actions" },
      el("button", { type: "button", class: "text-button", on: { click: () => dialog.close() } }, words.cancel),
      el("button", { type: "submit", class: "text-button", value: "yes" }, submit)));
  const dialog = el("dialog", { class: "dialog", "aria-label": title }, form);
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input")?.select();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes" ? new FormData(form) : null);
    });
  });
}

const labelled = (label, control) => el("label", { class: "field" }, el("span", {}, label), control);

function textField(label, name, value = "") {
  return labelled(label, el("input", { name, value, required: true, maxlength: "64", autocomplete: "off", dir: "auto" }));
}

function selectField(label, name, options, selected) {
  return labelled(label, el("select", { name },
    options.map(([value, text]) => el("option", { value, selected: String(value) === String(selected) }, text))));
}

function check(name, value, label, checked = true) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", name, value, checked }), bdi(label));
}

export async function askText({ title, label, words }) {
  const form = await ask({ title, words, submit: words.create, fields: [textField(label, "text")] });
  return form?.get("text").trim() || null;
}

/** { first_name, language_code } or null. */
export async function askPerson(words, locale) {
  const form = await ask({
    title: words.addPerson,
    words,
    submit: words.create,
    fields: [
      textField(words.firstName, "name"),
      selectField(words.language, "language", Object.entries(LANGUAGES), languageOf(locale)),
    ],
  });
  return form && { first_name: form.get("name"), language_code: form.get("language") };
}

/** { creator, group } with what /groups wants, or null. A given creator is not asked for. */
export async function askGroup({ words, world, creator = null }) {
  const form = await ask({
    title: words.newGroup,
    words,
    submit: words.create,
    fields: [
      textField(words.groupName, "title", words.groupNameValue),
      creator ? null : selectField(words.creator, "creator", world.people.map((user) => [user.id, fullName(user)])),
      memberChecks(words, world, creator),
      el("div", { class: "checks" }, check("bot", "yes", words.withBot), check("super", "yes", words.asSupergroup, false),
        check("forum", "yes", words.asForum, false)),
    ].filter(Boolean),
  });
  return form && readGroup(form, creator?.id ?? Number(form.get("creator")));
}

function memberChecks(words, world, creator) {
  const others = world.people.filter((user) => user.id !== creator?.id);
  return el("fieldset", { class: "field" }, el("legend", {}, words.withMembers),
    el("div", { class: "checks" }, others.map((user) => check("member", user.id, fullName(user)))));
}

function readGroup(form, creator) {
  const forum = form.has("forum");
  return {
    creator,
    group: {
      title: form.get("title").trim(),
      type: forum || form.has("super") ? "supergroup" : "group", // only supergroups have topics
      members: form.getAll("member").map(Number).filter((id) => id !== creator),
      with_bot: form.has("bot"),
      forum,
    },
  };
}
