// What stands around the messages on a phone's screen. Plain functions from what is shown to nodes.
//
// A view is { person, world, words, chat }: whose screen, what is known, and the open group
// (undefined for the private chat with the bot).

import { avatar, bdi, el, fullName, icon } from "./dom.js";
import { languageOf } from "./words.js";

export function statusBar(person) {
  const name = fullName(person);
  return el("div", { class: "status-bar" },
    avatar(person.id, name), bdi(name, { class: "owner" }),
    el("span", { class: "language" }, languageOf(person.language_code)));
}

/** How a chat is shown: a group as itself, the private chat as the bot. */
export function faceOf(world, id) {
  const chat = world.chat(id);
  return chat ? { id, title: chat.title } : { id: world.bot.id, title: fullName(world.bot) };
}

export function listTitle(words) {
  return [el("h2", { class: "chat-title" }, words.chats)];
}

export function chatTitle({ person, world, words, chat }) {
  const face = faceOf(world, chat?.id ?? person.id);
  const subtitle = chat ? words.members(world.members(chat).length) : words.bot;
  return [
    avatar(face.id, face.title),
    el("div", { class: "chat-title" }, el("h2", {}, bdi(face.title)),
      el("p", { class: "subtitle" }, el("span", { class: "online-only" }, subtitle), el("span", { class: "offline-only" }, words.connecting))),
  ];
}

export function backButton(click) {
  return el("button", { type: "button", class: "back", on: { click } }, icon("back"));
}

export function setUnread(button, words, unread) {
  button.setAttribute("aria-label", unread ? `${words.back}, ${words.unread(unread)}` : words.back);
  button.replaceChildren(icon("back"), unread ? el("span", { class: "badge" }, String(unread)) : "");
}

/** The topics of a forum as buttons; General, which Telegram gives no thread id, is null. */
export function topicButtons({ words, chat }, current, pick) {
  const topics = [{ id: null, name: words.general }, ...chat.topics];
  return topics.map(({ id, name }) =>
    el("button", { type: "button", class: "topic", "aria-pressed": String(id === current), on: { click: () => pick(id) } }, bdi(name)));
}

/** Where Telegram shows one big button, or a word, instead of the typing line; else null. */
export function insteadOfComposer({ person, world, words, chat }, act) {
  const big = (label, verb) => el("button", { type: "button", class: "big-button", on: { click: () => act(verb) } }, label);
  if (!chat && person.blocked) return big(words.unblock, "unblock");
  if (!chat && !person.started) return big(words.start, "start");
  const member = chat && world.member(chat, person.id);
  if (member?.status === "restricted" && !member.can_send) return el("p", { class: "cannot" }, words.cannotWrite);
  return null;
}

/** What fills a chat without messages; before Start that is what the bot says about itself. */
export function emptyChat({ person, world, words, chat }) {
  const description = chat ? "" : world.descriptionFor(person);
  if (!description) return el("p", { class: "pill empty-chat" }, words.noMessages);
  return el("div", { class: "bubble empty-chat" }, el("strong", {}, words.whatCanBotDo), el("p", { dir: "auto" }, description));
}
