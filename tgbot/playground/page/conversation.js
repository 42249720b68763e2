// The scrolling messages of the open chat.

import { el, iconButton } from "./dom.js";
import { createMessage, updateMessage } from "./bubble.js";
import { setBusy } from "./keyboard.js";
import { day, dayKey } from "./moments.js";

// Closer to the end than this counts as reading the newest message.
const NEAR = 60;

export class Conversation {
  #nodes = new Map();
  #reader;

  constructor(reader) {
    this.#reader = reader;
    this.list = el("div", { class: "messages", role: "log", "aria-live": "off", tabindex: "-1", on: { scroll: () => this.#onScroll() } });
    this.downButton = iconButton("down", reader.words.toBottom, () => this.toBottom(true), "to-bottom");
    this.node = el("div", { class: "conversation" }, this.list, this.downButton);
    this.#keepAtBottomOnResize();
  }

  /** Replaces everything: another chat, or the same one fetched anew. */
  show(messages, placeholder = null) {
    this.#nodes.clear();
    this.list.replaceChildren();
    for (const message of messages) this.#append(message);
    if (!messages.length && placeholder) this.list.append(placeholder);
    this.toBottom();
  }

  add(message) {
    if (this.#nodes.has(message.message_id)) return this.edit(message);
    if (!this.#nodes.size) this.list.replaceChildren(); // the placeholder of an empty chat
    this.#append(message).classList.add("fresh");
    this.toBottom();
  }

  /** Leaves the scroll where it is, except that someone who reads the end keeps reading the end. */
  edit(message) {
    const node = this.#nodes.get(message.message_id);
    if (!node) return;
    const wasAtBottom = this.#atBottom;
    updateMessage(node, message, this.#reader);
    if (wasAtBottom) this.toBottom();
  }

  remove(id) {
    const node = this.#nodes.get(id);
    const next = node?.nextElementSibling;
    node?.remove();
    this.#nodes.delete(id);
    if (next) this.#placeInRun(next);
  }

  setBusy(id, data, busy) {
    const node = this.#nodes.get(id);
    if (node) setBusy(node, data, busy);
  }

  reveal(id) {
    const node = this.#nodes.get(id);
    if (!node) return;
    node.scrollIntoView({ block: "center", behavior: smoothly() });
    node.classList.remove("flash");
    void node.offsetWidth; // restarts the animation
    node.classList.add("flash");
  }

  toBottom(smooth = false) {
    this.list.scrollTo({ top: this.list.scrollHeight, behavior: smooth ? smoothly() : "instant" });
  }

  get #atBottom() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR;
  }

  #onScroll() {
    this.downButton.classList.toggle("shown", !this.#atBottom);
    this.pinned = this.#atBottom;
  }

  // The reply bar, a growing text field or a turned phone change the height, not what is being read.
  #keepAtBottomOnResize() {
    this.pinned = true;
    new ResizeObserver(() => this.pinned && this.toBottom()).observe(this.list);
  }

  #append(message) {
    const node = createMessage(message, this.#reader);
    node.dataset.day = dayKey(message.date);
    node.dataset.dayLabel = day(message.date, this.#reader.locale);
    this.#nodes.set(message.message_id, node);
    this.list.append(node);
    this.#placeInRun(node);
    return node;
  }

  // Several messages of one sender look like one run: the name once, small gaps. A new day begins with its date.
  #placeInRun(node) {
    const before = node.previousElementSibling;
    const sameDay = before?.dataset.day === node.dataset.day;
    node.classList.toggle("first-of-day", !sameDay);
    node.classList.toggle("follows", sameDay && isSameRun(before, node));
  }
}

function isSameRun(before, node) {
  const service = [before, node].some((each) => each.classList.contains("service"));
  return !service && before.dataset.sender === node.dataset.sender;
}

function smoothly() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
