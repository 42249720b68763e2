// The page: one long poll feeds every phone.

import * as api from "./api.js";
import { Phone } from "./phone.js";
import { startCountdowns } from "./moments.js";
import { Toolbar } from "./toolbar.js";
import { wordsFor } from "./words.js";
import { World } from "./world.js";

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Page {
  #phones = new Map();
  locale = navigator.language;
  words = wordsFor(navigator.language);
  world = null;

  constructor() {
    this.main = document.querySelector(".phones");
    this.toolbar = new Toolbar(document.querySelector(".toolbar"), this);
    this.inView = new IntersectionObserver((entries) => this.#onView(entries), { root: this.main, threshold: 0.6 });
    // The phone last touched is the one in use; see Phone.#ask.
    for (const kind of ["pointerdown", "focusin"]) this.main.addEventListener(kind, (event) => this.#use(event.target));
  }

  /** Follows the server for as long as the page lives, also across its restarts. */
  async run() {
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      try {
        const seq = await this.#refresh(true);
        this.#setOnline(true);
        pause = FIRST_PAUSE_MS;
        await this.#follow(seq);
      } catch (error) {
        console.warn("Lost the server, trying again:", error);
        this.#setOnline(false);
        await sleep(pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Returns when the server counts anew (it was restarted), throws when it cannot be reached. */
  async #follow(seq) {
    for (;;) {
      const batch = await api.getEvents(seq);
      if (batch.seq < seq) return;
      await this.#take(batch.events);
      seq = batch.seq;
    }
  }

  async #take(events) {
    // One fresh state covers every change of this batch, and comes first:
    // a message may be from a chat that did not exist a moment ago.
    if (events.some((event) => event.kind === "state" || event.kind === "migrated")) await this.#refresh();
    for (const event of events) {
      for (const phone of this.#phones.values()) show(phone, event);
    }
  }

  async #refresh(afresh = false) {
    const state = await api.getState();
    this.world = new World(state);
    this.#arrangePhones();
    this.toolbar.update(this.world);
    await Promise.all([...this.#phones.values()].map((phone) => phone.update(this.world, afresh)));
    return state.seq;
  }

  #arrangePhones() {
    for (const [id, phone] of this.#phones) {
      // A restarted server may give the same id to somebody else.
      if (isSamePerson(phone.person, this.world.user(id))) continue;
      phone.node.remove();
      this.#phones.delete(id);
    }
    for (const person of this.world.people) {
      if (this.#phones.has(person.id)) continue;
      const phone = new Phone(person, this.world);
      this.#phones.set(person.id, phone);
      this.main.append(phone.node);
      this.inView.observe(phone.node);
    }
  }

  /** A group made from the toolbar opens on the phones of all its members. */
  onGroup(chat, { creator, group }) {
    for (const id of [creator, ...group.members]) this.#phones.get(id)?.openSoon(chat.id);
  }

  #setOnline(online) {
    document.documentElement.toggleAttribute("data-offline", !online);
    this.toolbar.setOnline(online);
  }

  #use(target) {
    const used = target.closest(".phone");
    for (const { node } of this.#phones.values()) node.toggleAttribute("data-active", node === used);
  }

  #onView(entries) {
    const seen = entries.find((entry) => entry.isIntersecting);
    if (seen) this.toolbar.mark(seen.target.dataset.person);
  }
}

function isSamePerson(one, other) {
  return ["first_name", "last_name", "language_code"].every((field) => one[field] === other?.[field]);
}

// A fault in drawing one event must look neither like a lost server nor stop the other phones.
function show(phone, event) {
  try {
    phone.take(event);
  } catch (error) {
    console.error("Could not show", event, error);
  }
}

startCountdowns();
new Page().run();
