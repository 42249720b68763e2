// One message as a node: bubble or service line, reply quote, text, time, keyboard.

import { bdi, el, fullName, hue, icon, iconButton } from "./dom.js";
import { richText } from "./entities.js";
import { setBusy, updateKeyboard } from "./keyboard.js";
import { clock } from "./moments.js";
import { isService, serviceText } from "./service.js";
import { repliedTo, senderOf } from "./world.js";

/**
 * reader: whose screen the message is on, and what taps on it do there:
 * { id, locale, words, onCommand, onLink, onKey(message, key, node), onQuote(id), onMenu(message, anchor), isBusy(message, data) }
 */
export function createMessage(message, reader) {
  const node = el("article", { class: "message", data: { message: message.message_id, sender: senderOf(message).id } });
  updateMessage(node, message, reader);
  return node;
}

/** Shows the newer content in the same node, so an edit neither moves the scroll nor loses a pressed button. */
export function updateMessage(node, message, reader) {
  const service = isService(message);
  const own = senderOf(message).id === reader.id;
  node.classList.toggle("service", service);
  node.classList.toggle("own", own && !service);
  const content = service ? el("p", { class: "pill" }, serviceText(message, reader.words)) : bubble(message, own, reader);
  const former = node.querySelector(":scope > .bubble, :scope > .pill");
  if (former) former.replaceWith(content);
  else node.prepend(content);
  if (!service) content.addEventListener("contextmenu", (event) => openMenu(event, message, reader));
  showKeyboard(node, message, reader);
}

function openMenu(event, message, reader) {
  if (!getSelection().isCollapsed) return; // let people copy what they selected
  event.preventDefault();
  reader.onMenu(message, event.currentTarget);
}

function showKeyboard(node, message, reader) {
  const former = node.querySelector(":scope > .keyboard");
  const current = updateKeyboard(former, message.reply_markup, (key) => node.pressKey(key));
  // The nodes of an unchanged keyboard outlive this version of the message: they ask for the newest.
  node.pressKey = (key) => reader.onKey(message, key);
  if (current !== former) {
    former?.remove();
    if (current) node.append(current);
  }
  node.classList.toggle("with-keyboard", Boolean(current));
  for (const key of current?.querySelectorAll("[data-data]") ?? []) {
    setBusy(node, key.dataset.data, reader.isBusy(message, key.dataset.data));
  }
}

function bubble(message, own, reader) {
  return el("div", { class: "bubble" },
    own ? null : author(message, reader),
    repliedTo(message) ? quote(repliedTo(message), reader) : null,
    el("div", { class: "content", dir: "auto" }, ...content(message, reader), meta(message, own, reader)),
    iconButton("down", reader.words.messageMenu, (event) => reader.onMenu(message, event.currentTarget), "message-menu"));
}

function author(message, reader) {
  if (message.chat.type === "private") return null;
  const sender = senderOf(message);
  return el("div", { class: "author", data: { hue: hue(sender.id) } },
    bdi(sender.title ?? fullName(sender)),
    sender.id === message.chat.id ? el("span", { class: "rank" }, reader.words.admin) : null);
}

function quote(original, reader) {
  const sender = senderOf(original);
  return el("button",
    { type: "button", class: "quote", data: { hue: hue(sender.id) }, on: { click: () => reader.onQuote(original.message_id) } },
    bdi(sender.title ?? fullName(sender), { class: "quote-name" }),
    bdi(summary(original, reader.words), { class: "quote-text" }));
}

function content(message, reader) {
  const parts = [];
  if (message.photo) parts.push(attachment("▣", reader.words.photo));
  if (message.document) parts.push(attachment("🗎", message.document.file_name ?? reader.words.file));
  const big = message.dice?.emoji ?? message.sticker?.emoji;
  if (big) parts.push(el("span", { class: "big-emoji" }, big));
  const text = message.text ?? message.caption;
  if (text) parts.push(el("span", { class: "text" }, richText(text, message.entities ?? message.caption_entities, reader)));
  return parts;
}

function attachment(sign, label) {
  return el("span", { class: "attachment" }, el("span", { class: "sign", "aria-hidden": "true" }, sign), bdi(label));
}

function meta(message, own, reader) {
  return el("span", { class: "meta", dir: "ltr" },
    message.edit_date ? el("span", { class: "edited" }, reader.words.edited) : null,
    el("time", { datetime: new Date(message.date * 1000).toISOString() }, clock(message.date, reader.locale)),
    own ? icon("read") : null);
}

/** A message in one line, for quotes and the chat list. */
export function summary(message, words) {
  if (isService(message)) {
    const holder = el("span", {}, serviceText(message, words));
    return holder.textContent;
  }
  const text = message.text ?? message.caption ?? message.document?.file_name ?? message.dice?.emoji ?? words.photo;
  return text.replace(/\s+/gu, " ");
}
