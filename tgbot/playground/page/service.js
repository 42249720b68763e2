// Service messages: what happened in a group, in the reader's language.

import { bdi, fullName } from "./dom.js";
import { phrase } from "./words.js";
import { senderOf } from "./world.js";

const name = (user) => bdi(user.title ?? fullName(user));

function names(users) {
  const fragment = document.createDocumentFragment();
  users.forEach((user, index) => fragment.append(index ? ", " : "", name(user)));
  return fragment;
}

// For every kind: how to recognise it, which phrase tells it, and who or what stands in the phrase.
const KINDS = [
  ["group_chat_created", (m, w) => phrase(w.created, { a: name(senderOf(m)) })],
  ["supergroup_chat_created", (m, w) => phrase(w.created, { a: name(senderOf(m)) })],
  ["new_chat_members", arrival],
  ["left_chat_member", departure],
  ["migrate_to_chat_id", (m, w) => phrase(w.upgraded, {})],
  ["migrate_from_chat_id", (m, w) => phrase(w.upgraded, {})],
  ["new_chat_title", (m, w) => phrase(w.titled, { a: name(senderOf(m)), b: bdi(m.new_chat_title) })],
  ["pinned_message", (m, w) => phrase(w.pinned, { a: name(senderOf(m)) })],
  ["forum_topic_created", (m, w) => phrase(w.topicCreated, { a: name(senderOf(m)), b: bdi(m.forum_topic_created.name) })],
];

function arrival(message, words) {
  const [newcomer] = message.new_chat_members;
  if (newcomer.id === message.from.id) return phrase(words.joined, { a: name(newcomer) });
  return phrase(words.added, { a: name(message.from), b: names(message.new_chat_members) });
}

function departure(message, words) {
  const gone = message.left_chat_member;
  if (gone.id === message.from.id) return phrase(words.left, { a: name(gone) });
  return phrase(words.removed, { a: name(message.from), b: name(gone) });
}

const CONTENT = ["text", "caption", "document", "photo", "dice", "sticker"];

export function isService(message) {
  return !CONTENT.some((field) => field in message);
}

export function serviceText(message, words) {
  const kind = KINDS.find(([field]) => field in message);
  return kind ? kind[1](message, words) : words.service;
}
