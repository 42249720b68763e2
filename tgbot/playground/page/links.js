// Links that Telegram itself handles: https://t.me/<bot>?start=… and ?startgroup=….

const HOSTS = new Set(["t.me", "telegram.me", "telegram.dog"]);

function parse(url) {
  try {
    return new URL(/^[a-z]+:/iu.test(url) ? url : `https://${url}`);
  } catch {
    return null;
  }
}

/**
 * { kind: "group" | "start", payload } for the bot's deep links, { kind: "bot" } for its plain link,
 * { kind: "web", url } for an ordinary page, null for what cannot be opened here.
 */
export function readLink(text, bot) {
  const url = parse(text);
  if (!url) return null;
  const path = url.pathname.replace(/^\/|\/$/gu, "");
  if (HOSTS.has(url.hostname) && path.toLowerCase() === bot.username?.toLowerCase()) {
    if (url.searchParams.has("startgroup")) return { kind: "group", payload: url.searchParams.get("startgroup") };
    if (url.searchParams.has("start")) return { kind: "start", payload: url.searchParams.get("start") };
    return { kind: "bot" };
  }
  return ["https:", "http:"].includes(url.protocol) ? { kind: "web", url: url.href } : null;
}
