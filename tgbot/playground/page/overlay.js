// What appears over one phone's screen: toasts, alerts, menus and choices. Nobody else sees them.

import { el } from "./dom.js";

const TOAST_MS = 2500;
const TOAST_MS_PER_LETTER = 40;
const TOAST_MS_MOST = 8000;

export class Overlay {
  #close = null;
  #timer = null;

  constructor(words) {
    this.words = words;
    this.toasts = el("div", { class: "toasts", role: "status", "aria-live": "polite" });
    this.layer = el("div", { class: "layer" });
    this.node = el("div", { class: "overlay" }, this.toasts, this.layer);
  }

  toast(text) {
    clearTimeout(this.#timer);
    this.toasts.replaceChildren(el("div", { class: "toast", dir: "auto" }, text));
    const ms = Math.min(TOAST_MS + text.length * TOAST_MS_PER_LETTER, TOAST_MS_MOST);
    this.#timer = setTimeout(() => this.toasts.replaceChildren(), ms);
  }

  alert(text) {
    const ok = el("button", { type: "button", class: "text-button", on: { click: () => this.close() } }, this.words.ok);
    this.#open(el("div", { class: "alert", role: "alertdialog", "aria-modal": "true", "aria-label": text },
      el("p", { dir: "auto" }, text), el("div", { class: "actions" }, ok)), { closeByVeil: false });
  }

  confirm(text, action, run) {
    const button = (label, deed) =>
      el("button", { type: "button", class: "text-button", on: { click: () => { this.close(); deed?.(); } } }, label);
    this.#open(el("div", { class: "alert", role: "alertdialog", "aria-modal": "true", "aria-label": text },
      el("p", { dir: "auto" }, text),
      el("div", { class: "actions" }, button(this.words.cancel), button(action, run))));
  }

  /** A small drop-down of deeds, [{ label, run, danger? }]: below the title bar, or near the message it is about. */
  menu(items, anchor = null) {
    const panel = el("div", { class: `menu at-${anchor ? "message" : "top"}`, role: "menu" }, items.map((item) => this.#item(item, "menuitem")));
    this.#open(panel);
    if (anchor) this.#placeNear(panel, anchor.getBoundingClientRect());
  }

  #placeNear(panel, anchor) {
    const screen = this.node.getBoundingClientRect();
    const inside = (at, size, whole) => `${Math.max(8, Math.min(at, whole - size - 8))}px`;
    panel.style.top = inside(anchor.top + 24 - screen.top, panel.offsetHeight, screen.height);
    panel.style.left = inside(anchor.left + 24 - screen.left, panel.offsetWidth, screen.width);
  }

  /** A sheet from the bottom with choices: [{ label, detail?, picture?, run }]. */
  choose(title, items) {
    this.#open(el("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": title },
      el("h2", {}, title),
      el("div", { class: "choices" }, items.map((item) => this.#item(item))),
      el("button", { type: "button", class: "text-button", on: { click: () => this.close() } }, this.words.cancel)));
  }

  #item({ label, detail, picture, danger, run }, role) {
    const choose = () => {
      this.close();
      run();
    };
    return el("button", { type: "button", role, class: danger ? "item danger" : "item", on: { click: choose } },
      picture, el("span", { class: "item-label" }, el("bdi", {}, label), detail ? el("small", {}, detail) : null));
  }

  #open(panel, { closeByVeil = true } = {}) {
    this.close();
    const veil = el("div", { class: "veil", on: { click: () => closeByVeil && this.close() } });
    const screen = this.node.parentElement;
    const before = screen.contains(document.activeElement) ? document.activeElement : null;
    panel.addEventListener("keydown", (event) => onPanelKey(event, panel, () => this.close()));
    this.layer.replaceChildren(veil, panel);
    for (const part of this.#behind()) part.inert = true;
    // Only the phone in use takes the focus: an alert for Ada must not interrupt Bo's typing.
    if (before || document.activeElement === document.body) panel.querySelector("button")?.focus();
    this.#close = () => {
      for (const part of this.#behind()) part.inert = false;
      const hadFocus = panel.contains(document.activeElement);
      this.layer.replaceChildren();
      if (hadFocus && before?.isConnected) before.focus({ preventScroll: true });
    };
  }

  #behind() {
    return [...this.node.parentElement.children].filter((part) => part !== this.node);
  }

  close() {
    const close = this.#close;
    this.#close = null;
    close?.();
  }
}

function onPanelKey(event, panel, close) {
  const buttons = [...panel.querySelectorAll("button")];
  const step = { ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
  if (event.key === "Escape") close();
  else if (step) buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
  else return;
  event.preventDefault();
}
