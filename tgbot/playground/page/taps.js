// Taps on inline buttons between the finger and the bot's answerCallbackQuery.

// Telegram stops waiting on its own, too: a bot that never answers must not spin for ever.
const PATIENCE_MS = 20_000;

const keyOf = (chat, message, data) => JSON.stringify([chat, message, data]);

export class Taps {
  #open = new Map();
  #answeredEarly = new Set();

  /** onChange(chat, message, data, busy) draws or removes a spinner. */
  constructor(onChange) {
    this.onChange = onChange;
  }

  has(chat, message, data) {
    return this.#open.has(keyOf(chat, message, data));
  }

  /** Runs `send` (answers { query_id }) unless this very button is still waiting. */
  async tap(chat, message, data, send) {
    if (this.has(chat, message, data)) return;
    const tap = { chat, message, data, query: null };
    tap.timer = setTimeout(() => this.#end(tap), PATIENCE_MS);
    this.#open.set(keyOf(chat, message, data), tap);
    this.onChange(chat, message, data, true);
    try {
      tap.query = (await send()).query_id;
    } catch (error) {
      this.#end(tap);
      throw error;
    }
    // The answer may overtake the response that tells which query it is about.
    if (this.#answeredEarly.delete(tap.query)) this.#end(tap);
  }

  answered(query) {
    const taps = [...this.#open.values()];
    const tap = taps.find((each) => each.query === query);
    if (tap) this.#end(tap);
    else if (taps.some((each) => each.query === null)) this.#answeredEarly.add(query);
  }

  clear() {
    for (const tap of [...this.#open.values()]) this.#end(tap);
  }

  #end(tap) {
    clearTimeout(tap.timer);
    this.#open.delete(keyOf(tap.chat, tap.message, tap.data));
    this.onChange(tap.chat, tap.message, tap.data, false);
  }
}
