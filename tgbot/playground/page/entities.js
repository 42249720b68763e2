// Message text with its entities as DOM nodes. Offsets are UTF-16 units, which JS strings count in.

import { el } from "./dom.js";
import { dressTime } from "./moments.js";

const PLAIN_TAGS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
  expandable_blockquote: "blockquote",
};

/**
 * reader: { locale, onCommand(text), onLink(url) }: whose screen this is and what a tap does there.
 */
export function richText(text, entities = [], reader) {
  const fragment = document.createDocumentFragment();
  fill(fragment, text, [...entities].sort(outermostFirst), 0, text.length, reader);
  return fragment;
}

function outermostFirst(one, other) {
  return (
    one.offset - other.offset ||
    other.length - one.length ||
    // A time replaces its text, so whatever covers the same letters must be around it.
    (one.type === "date_time") - (other.type === "date_time")
  );
}

// Takes entities off the queue as long as they begin inside [from, to); nested ones are clipped to their parent.
function fill(parent, text, queue, from, to, reader) {
  let at = from;
  while (queue.length && queue[0].offset < to) {
    const entity = queue.shift();
    const start = Math.max(entity.offset, at);
    const end = Math.min(entity.offset + entity.length, to);
    if (end <= start) continue;
    parent.append(text.slice(at, start));
    const node = wrapper(entity, text.slice(start, end), reader);
    fill(node, text, queue, start, end, reader);
    if (entity.type === "date_time") dressTime(node, entity, reader.locale);
    parent.append(node);
    at = end;
  }
  parent.append(text.slice(at, to));
}

function wrapper(entity, text, reader) {
  switch (entity.type) {
    case "date_time":
      return el("time");
    case "bot_command":
      return el("button", { type: "button", class: "link", on: { click: () => reader.onCommand(text) } });
    case "url":
      return link(text, reader);
    case "text_link":
      return link(entity.url, reader);
    case "text_mention":
      // A bot can only guess how to isolate a name inside its text; the page knows where it ends.
      return el("bdi", { class: "mention", data: { user: entity.user.id } });
    case "mention":
    case "hashtag":
    case "cashtag":
      return el("span", { class: "mention" });
    case "spoiler":
      return spoiler();
    default:
      return el(PLAIN_TAGS[entity.type] ?? "span");
  }
}

function link(url, reader) {
  return el("button", { type: "button", class: "link", title: url, on: { click: () => reader.onLink(url) } });
}

function spoiler() {
  const node = el("span", { class: "spoiler", role: "button", tabindex: "0" });
  const reveal = () => node.classList.add("revealed");
  node.addEventListener("click", reveal);
  node.addEventListener("keydown", (event) => event.key === "Enter" && reveal());
  return node;
}
