// The list of a person's chats: the private chat with the bot and the groups.

import { avatar, bdi, el, fullName } from "./dom.js";
import { summary } from "./bubble.js";
import { clock } from "./moments.js";
import { isService } from "./service.js";
import { senderOf } from "./world.js";

/** rows: [{ id, face: { id, title }, log }]; reader as for bubbles; open(id) shows a chat. */
export function chatList(rows, reader, open) {
  const newestFirst = [...rows].sort((one, other) => (other.log.last?.date ?? 0) - (one.log.last?.date ?? 0));
  return el("nav", { class: "chat-list", "aria-label": reader.words.chats }, newestFirst.map((row) => chatRow(row, reader, open)));
}

function chatRow({ id, face, log }, reader, open) {
  const last = log.last;
  return el("button", { type: "button", class: "chat-row", data: { chat: id }, on: { click: () => open(id) } },
    avatar(face.id, face.title),
    el("span", { class: "chat-name" }, bdi(face.title)),
    el("span", { class: "chat-time" }, last ? clock(last.date, reader.locale) : ""),
    el("span", { class: "chat-preview" }, ...preview(last, reader)),
    log.unread ? el("span", { class: "badge", "aria-label": reader.words.unread(log.unread) }, String(log.unread)) : null);
}

function preview(message, reader) {
  if (!message) return [reader.words.noMessages];
  const text = bdi(summary(message, reader.words));
  const sender = senderOf(message);
  if (message.chat.type === "private" || isService(message) || sender.id === message.chat.id) return [text];
  return [bdi(fullName(sender), { class: "preview-name" }), ": ", text];
}
