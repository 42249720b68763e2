// One chat's messages as one person sees them: fetched once, then kept up by events.

import { getMessages } from "./api.js";

export class ChatLog {
  #messages = new Map();
  #seq = 0;
  #early = [];
  #loaded = false;
  unread = 0;

  constructor(person, chat) {
    this.person = person;
    this.chat = chat;
  }

  async load() {
    this.#loaded = false;
    const { messages, seq } = await getMessages(this.person, this.chat);
    this.#begin(messages, seq);
  }

  /** Nothing to fetch: the chat will exist with its first message. */
  beginEmpty() {
    this.#begin([], 0);
  }

  #begin(messages, seq) {
    this.#messages = new Map(messages.map((message) => [message.message_id, message]));
    this.#seq = seq;
    this.#loaded = true;
    for (const event of this.#early.splice(0)) this.take(event);
  }

  /** Applies an event; answers whether the messages changed by it. */
  take(event) {
    if (!this.#loaded) {
      this.#early.push(event);
      return false;
    }
    // The fetched messages may already contain what an event, still under way, reports.
    if (event.seq <= this.#seq) return false;
    this.#seq = event.seq;
    switch (event.kind) {
      case "message":
        this.#messages.set(event.message.message_id, event.message);
        return true;
      case "edited":
        // Unknown: written before this person joined.
        if (!this.#messages.has(event.message.message_id)) return false;
        this.#messages.set(event.message.message_id, event.message);
        return true;
      case "deleted":
        return this.#messages.delete(event.message_id);
      default:
        return false;
    }
  }

  get messages() {
    return [...this.#messages.values()].sort((one, other) => one.message_id - other.message_id);
  }

  get last() {
    return this.messages.at(-1);
  }
}
