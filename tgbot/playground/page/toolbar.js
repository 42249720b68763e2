// The slim bar above the phones: make a group, add a person; on a narrow screen, whose phone is shown.

import * as api from "./api.js";
import { avatar, bdi, el, fullName, icon } from "./dom.js";
import { askGroup, askPerson } from "./dialogs.js";

/** app: { world, words, locale, onGroup(chat) } */
export class Toolbar {
  constructor(node, app) {
    this.app = app;
    this.brand = el("div", { class: "brand" });
    this.tabs = el("nav", { class: "tabs", "aria-label": app.words.people });
    this.status = el("span", { class: "status", role: "status" });
    node.append(this.brand, this.status, this.#actions(), this.tabs);
  }

  #actions() {
    const button = (sign, label, click) =>
      el("button", { type: "button", class: "tool", on: { click } }, icon(sign), el("span", {}, label));
    return el("div", { class: "tools" },
      button("group", this.app.words.newGroup, () => this.#newGroup()),
      button("plus", this.app.words.addPerson, () => this.#addPerson()));
  }

  update(world) {
    this.brand.replaceChildren(bdi(world.bot.first_name, { class: "brand-name" }), el("span", { class: "brand-bot" }, `@${world.bot.username}`));
    this.tabs.replaceChildren(...world.people.map((user) =>
      el("button", { type: "button", class: "tab", data: { tab: user.id }, on: { click: () => this.#goTo(user.id) } },
        avatar(user.id, fullName(user)), bdi(user.first_name))));
    this.mark(this.current ?? String(world.people[0]?.id));
  }

  /** Marks the phone in view (narrow screens show one at a time). */
  mark(person) {
    this.current = person;
    for (const tab of this.tabs.children) {
      const current = tab.dataset.tab === person;
      tab.setAttribute("aria-current", String(current));
      if (current) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  setOnline(online) {
    this.status.textContent = online ? "" : this.app.words.connecting;
  }

  #goTo(person) {
    document.querySelector(`.phone[data-person="${person}"]`)?.scrollIntoView({ inline: "center", block: "nearest" });
  }

  async #newGroup() {
    const answer = await askGroup({ words: this.app.words, world: this.app.world });
    if (answer) await this.#try(async () => this.app.onGroup(await api.act(answer.creator, "groups", answer.group), answer));
  }

  async #addPerson() {
    const fields = await askPerson(this.app.words, this.app.locale);
    if (fields) await this.#try(() => api.addPerson(fields));
  }

  async #try(deed) {
    try {
      await deed();
    } catch (error) {
      this.status.textContent = error instanceof api.Refused ? error.message : this.app.words.unreachable;
      setTimeout(() => (this.status.textContent = ""), 5000);
    }
  }
}
