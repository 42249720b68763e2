// What the menus offer: the ⋮ menu of a chat (who is in it, who runs it, what kind of group it is)
// and the menu of a single message.

import { avatar, fullName } from "./dom.js";

/**
 * phone: { person, world, words, act(verb, body), choose(title, items), askText(title, label), newGroup() }
 * chat: the open group, or null for the private chat with the bot.
 */
export function chatMenu(phone, chat) {
  return chat ? groupMenu(phone, chat) : privateMenu(phone);
}

/** Answer it; one's own message can also be edited and deleted. */
export function messageMenu({ person, words, act, composer }, message) {
  const items = [{ label: words.reply, run: () => composer.reply(message) }];
  if (message.from?.id !== person.id) return items;
  if (message.text) items.push({ label: words.editMessage, run: () => composer.edit(message) });
  const remove = () => act("delete", { chat: message.chat.id, message: message.message_id });
  return [...items, { label: words.deleteMessage, danger: true, run: remove }];
}

function privateMenu({ person, words, act, newGroup }) {
  return [
    { label: words.newGroupMore, run: newGroup },
    person.blocked
      ? { label: words.unblockBot, run: () => act("unblock") }
      : { label: words.blockBot, danger: true, run: () => act("block") },
  ];
}

function groupMenu(phone, chat) {
  const { person, world, words, act } = phone;
  const items = [...peopleItems(phone, chat), ...botItems(phone, chat)];
  if (chat.is_forum) items.push({ label: words.newTopic, run: () => newTopic(phone, chat) });
  const self = world.member(chat, person.id);
  if (self?.status === "creator") {
    if (chat.type === "supergroup") items.push(anonymityItem(phone, chat, self));
    else items.push({ label: words.upgrade, run: () => act("migrate", { chat: chat.id }) });
    items.push({ label: words.deleteGroup, danger: true, run: () => act("delete-group", { chat: chat.id }) });
  }
  items.push({ label: words.leave, danger: true, run: () => act("leave", { chat: chat.id }) });
  return items;
}

function peopleItems(phone, chat) {
  const { person, world, words } = phone;
  const others = world.people.filter((user) => user.id !== person.id);
  const present = others.filter((user) => world.member(chat, user.id));
  const isAdmin = (user) => world.isAdmin(chat, user.id);
  return [
    pick(phone, chat, words.addPersonToGroup, "add", others.filter((user) => !present.includes(user))),
    pick(phone, chat, words.removePerson, "remove", present),
    pick(phone, chat, words.makeAdmin, "promote", present.filter((user) => !isAdmin(user))),
    pick(phone, chat, words.dismissAdmin, "demote", present.filter(isAdmin)),
  ].filter(Boolean);
}

function pick({ act, choose }, chat, label, verb, users) {
  if (!users.length) return null;
  const items = users.map((user) => ({
    label: fullName(user),
    picture: avatar(user.id, fullName(user)),
    run: () => act(verb, { chat: chat.id, who: user.id }),
  }));
  return { label, run: () => choose(label.replace(/…$/u, ""), items) };
}

function botItems({ world, words, act }, chat) {
  const bot = { chat: chat.id, who: world.bot.id };
  if (!world.member(chat, world.bot.id)) return [{ label: words.addBot, run: () => act("add", bot) }];
  return [
    world.isAdmin(chat, world.bot.id)
      ? { label: words.botNoAdmin, run: () => act("demote", bot) }
      : { label: words.botAdmin, run: () => act("promote", bot) },
    { label: words.removeBot, run: () => act("remove", bot) },
  ];
}

function anonymityItem({ person, words, act }, chat, self) {
  return {
    label: self.is_anonymous ? words.notAnonymous : words.anonymous,
    run: () => act("promote", { chat: chat.id, who: person.id, is_anonymous: !self.is_anonymous }),
  };
}

async function newTopic({ words, act, askText }, chat) {
  const name = await askText(words.newTopic.replace(/…$/u, ""), words.topicName);
  if (name) act("topic", { chat: chat.id, name });
}
