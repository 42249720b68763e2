// One person's phone: which chat is open, and what their taps and words do.

import * as api from "./api.js";
import { el, fullName, iconButton } from "./dom.js";
import { chatList } from "./chatlist.js";
import { ChatLog } from "./log.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { askGroup, askText } from "./dialogs.js";
import { asksForReply, openQuestion } from "./forcereply.js";
import { followLink } from "./deeplinks.js";
import { chatMenu, messageMenu } from "./menus.js";
import { Overlay } from "./overlay.js";
import { backButton, chatTitle, emptyChat, faceOf, insteadOfComposer, listTitle, setUnread, statusBar, topicButtons } from "./screen.js";
import { Taps } from "./taps.js";
import { languageOf, wordsFor } from "./words.js";

export class Phone {
  #logs = new Map();
  #drafts = new Map();
  #open = null; // the open chat's id; null shows the chat list
  #topic = null; // the open topic of a forum; null is General
  #wanted = null; // a chat to open as soon as it is known
  #chosen = false; // has the person picked a chat, or does the page still follow the newest group?

  constructor(person, world) {
    this.person = person;
    this.world = world;
    this.words = wordsFor(person.language_code);
    this.taps = new Taps((chat, message, data, busy) => chat === this.#open && this.conversation.setBusy(message, data, busy));
    this.overlay = new Overlay(this.words);
    this.reader = this.#makeReader();
    this.conversation = new Conversation(this.reader);
    this.composer = new Composer(this.words, {
      send: (text, replyTo) => this.write(this.#open, text, replyTo),
      edit: (message, text) => this.act("edit", { chat: message.chat.id, message: message.message_id, text }),
    });
    this.node = this.#build();
  }

  // ---- what the server tells -------------------------------------------------------------

  /** The newest state; `afresh` after a lost connection, when events may have been missed. */
  async update(world, afresh = false) {
    this.world = world;
    this.person = world.user(this.person.id);
    const before = new Set(this.#logs.keys());
    if (afresh) {
      this.#logs.clear();
      this.taps.clear();
    }
    const chats = this.#chatIds();
    [...this.#logs.keys()].filter((id) => !chats.includes(id)).forEach((id) => this.#logs.delete(id));
    await Promise.all(chats.filter((id) => !this.#logs.has(id)).map((id) => this.#load(id)));
    this.#settle(chats.filter((id) => id < 0 && !before.has(id) && this.#logs.has(id)), afresh);
  }

  async #load(id) {
    const log = new ChatLog(this.person.id, id);
    this.#logs.set(id, log);
    try {
      if (id === this.person.id && !this.person.started) log.beginEmpty();
      else await log.load();
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      if (id === this.person.id) log.beginEmpty();
      else this.#logs.delete(id); // left or removed in this very moment: the next state will tell
    }
  }

  // Which chat to show now that the list of chats has changed.
  #settle(newGroups, afresh) {
    const next = this.#nextChat(newGroups, afresh);
    if (next !== this.#open) this.#show(next);
    else if (afresh && next !== null) this.#show(next, this.#topic);
    else this.#drawFrame();
    if (this.#open === null) this.#drawList();
  }

  #nextChat(newGroups, afresh) {
    const wanted = this.#wanted;
    if (this.#logs.has(wanted)) {
      this.#wanted = null;
      this.#chosen = true;
      return wanted;
    }
    const successor = this.world.chat(this.#open)?.migrated_to;
    if (this.#logs.has(successor)) return successor;
    const isOpen = this.#logs.has(this.#open);
    // What the person had chosen went down with the former server.
    if (afresh && this.#open !== null && !isOpen) this.#chosen = false;
    if (this.#chosen) return isOpen ? this.#open : null;
    return newGroups.at(-1) ?? (isOpen ? this.#open : [...this.#logs.keys()].at(-1));
  }

  take(event) {
    if (event.kind === "answer") this.#onAnswer(event);
    else if (this.#logs.get(event.chat)?.take(event)) this.#onChange(event);
  }

  #onChange(event) {
    if (event.chat === this.#open) this.#applyToConversation(event);
    else if (event.kind === "message" && event.message.from?.id !== this.person.id) {
      this.#logs.get(event.chat).unread += 1;
    }
    if (event.kind === "message") this.#onNewMessage(event.message);
    this.#drawUnread();
    if (this.#open === null) this.#drawList();
  }

  #applyToConversation({ kind, message, message_id: deleted }) {
    if (kind === "deleted") {
      this.conversation.remove(deleted);
      if (this.composer.isAbout(deleted)) this.composer.reset(this.composer.draft);
    } else if (kind === "edited") this.conversation.edit(message);
    else if (this.#isInTopic(message)) this.conversation.add(message);
  }

  #onNewMessage(message) {
    if (message.chat.id !== this.#open || !this.#isInTopic(message) || !asksForReply(message, this.person)) return;
    this.#ask(message);
  }

  #ask(message) {
    const placeholder = message.reply_markup.input_field_placeholder;
    // One keyboard serves all phones of this page; only the one in use may pull the focus.
    this.composer.reply(message, { placeholder, focus: this.node.dataset.active !== undefined });
  }

  #onAnswer(event) {
    if (event.person !== this.person.id) return;
    this.taps.answered(event.query_id);
    if (event.url) followLink(this, event.url);
    if (event.text && event.show_alert) this.overlay.alert(event.text);
    else if (event.text) this.overlay.toast(event.text);
  }

  // ---- what the person does --------------------------------------------------------------

  /** Does something by the people interface; a refusal is told to this person only. */
  act = async (verb, body) => {
    try {
      return await api.act(this.person.id, verb, body);
    } catch (error) {
      this.#tell(error);
      return null;
    }
  };

  #tell(error) {
    this.overlay.toast(error instanceof api.Refused ? error.message : this.words.unreachable);
  }

  async write(chat, text, replyTo) {
    const group = this.world.chat(chat);
    const body = { chat, text };
    if (replyTo) body.reply_to = replyTo;
    if (group?.is_forum && this.#topic !== null) body.topic = this.#topic;
    const written = await this.act("write", body);
    // Refused or unreachable: the words go back where they were, unless newer ones are there already.
    if (!written && this.#open === chat && !this.composer.draft) this.composer.reset(text);
  }

  choose = (title, items) => this.overlay.choose(title, items);

  askText = (title, label) => askText({ title, label, words: this.words });

  newGroup = async () => {
    const answer = await askGroup({ words: this.words, world: this.world, creator: this.person });
    const chat = answer && (await this.act("groups", answer.group));
    if (chat) this.openSoon(chat.id);
  };

  /** Opens a chat, waiting for the next state if that is to bring it. */
  openSoon(id) {
    if (this.#logs.has(id)) this.open(id);
    else this.#wanted = id;
  }

  open(id) {
    this.#chosen = true;
    this.#show(id);
  }

  // Commands tapped in a group carry the bot's name, as Telegram's clients send them when tapped.
  #command(text) {
    const inGroup = this.#open !== this.person.id && !text.includes("@");
    this.write(this.#open, inGroup ? `${text}@${this.world.bot.username}` : text);
  }

  async #press(message, key) {
    if (key.callback_data !== undefined) await this.#tap(message, key.callback_data);
    else if (key.url) followLink(this, key.url);
    else if (key.copy_text) await this.#copy(key.copy_text.text);
    else this.overlay.toast(this.words.unsupported);
  }

  async #tap(message, data) {
    const { chat, message_id: id } = message;
    const send = () => api.act(this.person.id, "tap", { chat: chat.id, message: id, data });
    await this.taps.tap(chat.id, id, data, send).catch((error) => this.#tell(error));
  }

  async #copy(text) {
    await navigator.clipboard?.writeText(text);
    this.overlay.toast(this.words.copied);
  }

  #makeReader() {
    return {
      id: this.person.id,
      locale: this.person.language_code,
      words: this.words,
      onCommand: (text) => this.#command(text),
      onLink: (url) => followLink(this, url),
      onKey: (message, key) => this.#press(message, key),
      onQuote: (id) => this.conversation.reveal(id),
      onMenu: (message, anchor) => this.overlay.menu(messageMenu(this, message), anchor),
      isBusy: (message, data) => this.taps.has(message.chat.id, message.message_id, data),
    };
  }

  // ---- the screen ------------------------------------------------------------------------

  #build() {
    this.title = el("div", { class: "title" });
    this.topicBar = el("div", { class: "topics", hidden: true });
    this.list = el("div", { class: "list-holder" });
    this.bottom = el("div", { class: "bottom" });
    this.backButton = backButton(() => this.open(null));
    this.menuButton = iconButton("more", this.words.menu, () => this.overlay.menu(chatMenu(this, this.#view.chat)), "chat-menu");
    const titleBar = el("header", { class: "title-bar" }, this.backButton, this.title, this.menuButton);
    return el("section",
      { class: "phone", lang: languageOf(this.person.language_code), "aria-label": fullName(this.person),
        data: { person: this.person.id, name: this.person.first_name } },
      statusBar(this.person), titleBar, this.topicBar, this.list, this.conversation.node, this.bottom, this.overlay.node);
  }

  get #view() {
    return { person: this.person, world: this.world, words: this.words, chat: this.world.chat(this.#open) };
  }

  #chatIds() {
    return [this.person.id, ...this.world.groupsOf(this.person.id).map((chat) => chat.id)];
  }

  #show(id, topic = null) {
    if (this.#open !== null) this.#drafts.set(this.#open, this.composer.draft);
    this.#open = id;
    this.#topic = topic;
    this.#drawFrame();
    if (id === null) this.#drawList();
    else this.#drawChat();
  }

  #drawChat() {
    const log = this.#logs.get(this.#open);
    log.unread = 0;
    const messages = log.messages.filter((message) => this.#isInTopic(message));
    this.conversation.show(messages, emptyChat(this.#view));
    this.composer.reset(this.#drafts.get(this.#open) ?? "");
    const question = openQuestion(messages, this.person);
    if (question) this.#ask(question);
    this.#drawUnread();
  }

  #drawList() {
    const rows = [...this.#logs].map(([id, log]) => ({ id, face: faceOf(this.world, id), log }));
    this.list.replaceChildren(chatList(rows, this.reader, (id) => this.open(id)));
  }

  // Everything around the messages: title, topics, typing line.
  #drawFrame() {
    const listing = this.#open === null;
    this.node.classList.toggle("listing", listing);
    this.title.replaceChildren(...(listing ? listTitle(this.words) : chatTitle(this.#view)));
    this.#drawTopics();
    this.#drawBottom();
    this.#drawUnread();
  }

  #drawTopics() {
    const { chat } = this.#view;
    this.topicBar.hidden = !chat?.is_forum;
    if (chat?.is_forum) {
      this.topicBar.replaceChildren(...topicButtons(this.#view, this.#topic, (id) => this.#show(this.#open, id)));
    }
  }

  #drawBottom() {
    const { chat } = this.#view;
    const botIsHere = !chat || this.world.member(chat, this.world.bot.id);
    this.composer.setCommands(botIsHere ? this.world.commandsFor(this.person, chat) : []);
    const content = insteadOfComposer(this.#view, this.act) ?? this.composer.node;
    if (this.bottom.firstElementChild !== content) this.bottom.replaceChildren(content);
  }

  #drawUnread() {
    const unread = [...this.#logs.values()].reduce((sum, log) => sum + log.unread, 0);
    this.node.toggleAttribute("data-unread", unread > 0);
    setUnread(this.backButton, this.words, unread);
  }

  #isInTopic(message) {
    if (!this.#view.chat?.is_forum) return true;
    return (message.is_topic_message ? message.message_thread_id : null) === this.#topic;
  }
}
