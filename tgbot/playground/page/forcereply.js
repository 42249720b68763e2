// Whose reply bar a bot's ForceReply opens.

import { repliedTo } from "./world.js";

/**
 * Without `selective` everyone's; with it only theirs whom the text mentions
 * or to whose message the bot replied.
 */
export function asksForReply(message, person) {
  const markup = message.reply_markup;
  if (!markup?.force_reply) return false;
  if (!markup.selective || message.chat.type === "private") return true;
  return repliedTo(message)?.from?.id === person.id || mentions(message, person);
}

function mentions(message, person) {
  return (message.entities ?? []).some((entity) => {
    if (entity.type === "text_mention") return entity.user.id === person.id;
    if (entity.type !== "mention" || !person.username) return false;
    const name = message.text.slice(entity.offset + 1, entity.offset + entity.length);
    return name.toLowerCase() === person.username.toLowerCase();
  });
}

/** The question this person still owes an answer to, when a chat is opened (or the page was reloaded). */
export function openQuestion(messages, person) {
  const own = messages.findLastIndex((message) => message.from?.id === person.id);
  return messages.slice(own + 1).findLast((message) => asksForReply(message, person)) ?? null;
}
