// The people's side of the local Telegram, over HTTP.

const LONG_POLL_SECONDS = 25;
// A connection can die without a word (laptop asleep); give up a little after the server would.
const LONG_POLL_PATIENCE = (LONG_POLL_SECONDS + 15) * 1000;

/** The server understood and said no: its words are for the person who asked. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function call(path, options = {}) {
  const response = await fetch(path, { cache: "no-store", ...options });
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  const words = body?.error ?? `HTTP ${response.status}`;
  // 5xx is the server's trouble, not a refusal: the caller retries as if it were unreachable.
  throw response.status < 500 && !response.ok ? new Refused(response.status, words) : new Error(words);
}

function post(path, body) {
  return call(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

export const getState = () => call("/people/state");

export const getMessages = (person, chat) => call(`/people/${person}/chats/${chat}/messages`);

export const getEvents = (after) =>
  call(`/people/events?after=${after}&timeout=${LONG_POLL_SECONDS}`, { signal: AbortSignal.timeout(LONG_POLL_PATIENCE) });

export const addPerson = (fields) => post("/people", fields);

/** act(ada, "write", { chat, text }): what a person does, by the name of the interface. */
export const act = (person, verb, body = {}) => post(`/people/${person}/${verb}`, body);
