// The typing line: text, the "/" menu of commands, and the bar that says what is being answered or edited.

import { bdi, el, fullName, icon, iconButton } from "./dom.js";
import { summary } from "./bubble.js";
import { senderOf } from "./world.js";

export class Composer {
  #commands = [];
  #mode = null; // { kind: "reply" | "edit", message } or null

  /** deeds: { send(text, replyTo), edit(message, text) } */
  constructor(words, deeds) {
    this.words = words;
    this.deeds = deeds;
    this.field = el("textarea", {
      rows: "1", dir: "auto", placeholder: words.message, "aria-label": words.message, enterkeyhint: "send", autocomplete: "off",
      on: { input: () => this.#onInput(), keydown: (event) => this.#onKey(event) },
    });
    this.sendButton = el("button", { type: "submit", class: "send", "aria-label": words.send, title: words.send }, icon("send"));
    this.slashButton = iconButton("slash", words.commands, () => this.#toggleCommands(), "slash");
    this.bar = el("div", { class: "composer-bar", hidden: true });
    this.menu = el("div", { class: "commands", hidden: true });
    this.node = el("form", { class: "composer", on: { submit: (event) => this.#onSubmit(event) } },
      this.menu, this.bar, el("div", { class: "line" }, this.field, this.slashButton, this.sendButton));
    this.#onInput();
  }

  setCommands(commands) {
    this.#commands = commands;
    this.slashButton.hidden = !commands.length;
  }

  get mode() {
    return this.#mode;
  }

  reply(message, { placeholder = this.words.message, focus = true } = {}) {
    this.#setMode({ kind: "reply", message });
    this.field.placeholder = placeholder;
    if (focus) this.field.focus({ preventScroll: true });
  }

  edit(message) {
    this.#setMode({ kind: "edit", message });
    this.#setText(message.text);
    this.field.focus({ preventScroll: true });
  }

  /** Back to an ordinary line, with the draft if there is one. */
  reset(text = "") {
    this.#setMode(null);
    this.#setText(text);
  }

  /** Is this message what the bar is about? It may have been deleted. */
  isAbout(id) {
    return this.#mode?.message.message_id === id;
  }

  get draft() {
    return this.#mode?.kind === "edit" ? "" : this.field.value;
  }

  #setText(text) {
    this.field.value = text;
    this.#onInput();
  }

  #setMode(mode) {
    this.#mode = mode;
    this.field.placeholder = this.words.message;
    this.bar.hidden = !mode;
    this.bar.replaceChildren(...(mode ? this.#barParts(mode) : []));
  }

  #barParts({ kind, message }) {
    const sender = senderOf(message);
    const title = kind === "edit" ? this.words.editMessage : (sender.title ?? fullName(sender));
    return [
      icon(kind === "edit" ? "pencil" : "reply"),
      el("div", { class: "about" }, bdi(title, { class: "quote-name" }), bdi(summary(message, this.words), { class: "quote-text" })),
      iconButton("close", this.words.cancel, () => this.reset(kind === "edit" ? "" : this.field.value)),
    ];
  }

  #onSubmit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    const mode = this.#mode;
    this.reset();
    if (mode?.kind === "edit") this.deeds.edit(mode.message, text);
    else this.deeds.send(text, mode?.message.message_id);
  }

  #onInput() {
    this.node?.classList.toggle("empty", !this.field.value.trim());
    this.field.style.height = "auto";
    if (this.field.scrollHeight) this.field.style.height = `${this.field.scrollHeight}px`;
    const typed = this.field.value;
    this.#showCommands(/^\/\w*$/u.test(typed) ? this.#commands.filter(({ command }) => `/${command}`.startsWith(typed)) : []);
  }

  #onKey(event) {
    if (event.isComposing) return;
    const options = [...this.menu.querySelectorAll("button")];
    const chosen = options.findIndex((option) => option.classList.contains("chosen"));
    if (options.length && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      const from = chosen < 0 && event.key === "ArrowUp" ? 0 : chosen;
      this.#choose(options, (from + (event.key === "ArrowDown" ? 1 : -1) + options.length) % options.length);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (chosen >= 0) options[chosen].click();
      else this.node.requestSubmit();
    } else if (event.key === "Escape") {
      if (options.length) this.#showCommands([]);
      else if (this.#mode) this.reset();
    }
  }

  #choose(options, index) {
    options.forEach((option, at) => option.classList.toggle("chosen", at === index));
    options[index].scrollIntoView({ block: "nearest" });
  }

  #toggleCommands() {
    this.#showCommands(this.menu.hidden ? this.#commands : []);
    this.field.focus({ preventScroll: true });
  }

  #showCommands(commands) {
    this.menu.hidden = !commands.length;
    this.menu.replaceChildren(...commands.map(({ command, description }) =>
      el("button", { type: "button", data: { command }, on: { click: () => this.#sendCommand(command) } },
        el("b", {}, `/${command}`), el("span", {}, description))));
  }

  #sendCommand(command) {
    this.reset();
    this.deeds.send(`/${command}`);
  }
}
