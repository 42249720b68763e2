// Following a link on someone's phone: Telegram's own deep links stay inside, the rest asks first.

import { avatar, el, icon } from "./dom.js";
import { askGroup } from "./dialogs.js";
import { readLink } from "./links.js";

export function followLink(phone, url) {
  const link = readLink(url, phone.world.bot);
  switch (link?.kind) {
    case "group":
      return chooseGroup(phone, link.payload);
    case "start":
      return startPrivately(phone, link.payload);
    case "bot":
      return phone.open(phone.person.id);
    case "web":
      return phone.overlay.confirm(phone.words.openLink(link.url), phone.words.open, () =>
        window.open(link.url, "_blank", "noopener,noreferrer"));
    default:
      return phone.overlay.toast(phone.words.unsupported);
  }
}

async function startPrivately(phone, payload) {
  phone.open(phone.person.id);
  await phone.act("start", { payload });
}

function chooseGroup(phone, payload) {
  const { world, words, person } = phone;
  const groups = world.groupsOf(person.id).map((chat) => ({
    label: chat.title,
    detail: words.members(world.members(chat).length),
    picture: avatar(chat.id, chat.title),
    run: () => addTo(phone, chat, payload),
  }));
  const fresh = { label: words.newGroupMore, picture: el("span", { class: "avatar plus" }, icon("plus")), run: () => addToNew(phone, payload) };
  phone.choose(words.addBotToGroup, [...groups, fresh]);
}

async function addTo(phone, chat, payload) {
  const { world } = phone;
  const isThere = world.member(chat, world.bot.id);
  if (!isThere && !(await phone.act("add", { chat: chat.id, who: world.bot.id }))) return;
  await greet(phone, chat.id, payload);
}

async function addToNew(phone, payload) {
  const answer = await askGroup({ words: phone.words, world: phone.world, creator: phone.person });
  const chat = answer && (await phone.act("groups", { ...answer.group, with_bot: true }));
  if (chat) await greet(phone, chat.id, payload);
}

// Telegram says "/start@bot payload" in the person's name once the bot is in.
async function greet(phone, chat, payload) {
  phone.openSoon(chat);
  if (payload) await phone.write(chat, `/start@${phone.world.bot.username} ${payload}`);
}
