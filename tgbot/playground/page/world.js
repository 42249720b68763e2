// What everybody can know: people, chats, members and the bot's commands, as /people/state gave it.

const ABSENT = new Set(["left", "kicked"]);
const ADMINS = new Set(["creator", "administrator"]);

export class World {
  #users = new Map();
  #chats = new Map();

  constructor(state) {
    this.bot = state.bot;
    this.people = state.people.filter((user) => !user.is_bot); // other bots have no phone
    this.chats = state.chats.filter((chat) => chat.type !== "private");
    for (const user of [state.bot, ...state.people]) this.#users.set(user.id, user);
    for (const chat of this.chats) this.#chats.set(chat.id, chat);
  }

  user(id) {
    return this.#users.get(id);
  }

  chat(id) {
    return this.#chats.get(id);
  }

  /** Groups the person sees in the chat list; a group that became a supergroup is only its successor. */
  groupsOf(person) {
    return this.chats.filter((chat) => !chat.migrated_to && this.member(chat, person));
  }

  member(chat, id) {
    return chat.members.find((member) => member.id === id && !ABSENT.has(member.status) && member.is_member !== false);
  }

  members(chat) {
    return chat.members.filter((member) => this.member(chat, member.id));
  }

  isAdmin(chat, id) {
    return ADMINS.has(this.member(chat, id)?.status);
  }

  /** The bot's commands for this person in a group, or in the private chat without one. */
  commandsFor(person, chat) {
    for (const scope of this.#scopes(person, chat)) {
      const commands = inLanguage(this.bot.commands?.[scope], person);
      if (commands?.length) return commands;
    }
    return [];
  }

  // The narrowest scope that has commands wins, in the order Telegram documents for them.
  #scopes(person, chat) {
    if (!chat) return [`chat ${person.id}`, "all_private_chats", "default"];
    const admin = this.isAdmin(chat, person.id);
    return [
      `chat_member ${chat.id} ${person.id}`,
      ...(admin ? [`chat_administrators ${chat.id}`] : []),
      `chat ${chat.id}`,
      ...(admin ? ["all_chat_administrators"] : []),
      "all_group_chats",
      "default",
    ];
  }

  descriptionFor(person) {
    return inLanguage(this.bot.description, person) ?? "";
  }
}

// What the bot said for the person's language, else for everybody ("").
function inLanguage(texts = {}, person) {
  const language = (person.language_code ?? "").slice(0, 2);
  return texts[language]?.length ? texts[language] : texts[""];
}

/** The message this one answers. The opening of a forum's topic does not count, though every message in it refers to it. */
export function repliedTo(message) {
  const original = message.reply_to_message;
  return original && !original.forum_topic_created ? original : null;
}

/** Who a message shows as its author: an anonymous admin or a channel writes in the chat's name. */
export function senderOf(message) {
  return message.sender_chat ?? message.from ?? message.chat;
}
