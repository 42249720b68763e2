// Times in the reader's own language: the clock in a bubble and Telegram's date_time entity.

const FALLBACK = "en";
const cache = new Map();

// Building an Intl formatter is slow and a countdown asks every second.
function formatter(Kind, locale, options) {
  const key = JSON.stringify([Kind.name, locale, options]);
  if (!cache.has(key)) cache.set(key, build(Kind, locale, options));
  return cache.get(key);
}

function build(Kind, locale, options) {
  try {
    return new Kind(locale || FALLBACK, options);
  } catch {
    return new Kind(FALLBACK, options); // a language code that no browser knows
  }
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

export function clock(unix, locale) {
  return formatter(Intl.DateTimeFormat, locale, CLOCK).format(unix * 1000);
}

export function day(unix, locale) {
  return formatter(Intl.DateTimeFormat, locale, { day: "numeric", month: "long" }).format(unix * 1000);
}

export function dayKey(unix) {
  return new Date(unix * 1000).toDateString();
}

// Telegram's letters, `r|w?[dD]?[tT]?`; their order on screen is the locale's business.
const PARTS = {
  w: { weekday: "long" },
  d: { day: "2-digit", month: "2-digit", year: "2-digit" },
  D: { day: "numeric", month: "long", year: "numeric" },
  t: CLOCK,
  T: { ...CLOCK, second: "2-digit" },
};

function absolute(unix, letters, locale) {
  const options = Object.assign({}, ...[...letters].map((letter) => PARTS[letter] ?? {}));
  return formatter(Intl.DateTimeFormat, locale, options).format(unix * 1000);
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

function relative(unix, locale) {
  const seconds = unix - Math.floor(Date.now() / 1000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return formatter(Intl.RelativeTimeFormat, locale, { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
}

/** Fills a <time>. Without a format the bot's own text stays and the moment is only a hint. */
export function dressTime(node, { unix_time: unix, date_time_format: format = "" }, locale) {
  node.dateTime = new Date(unix * 1000).toISOString();
  node.title = absolute(unix, "wDT", locale);
  if (!format) return;
  node.replaceChildren(format === "r" ? relative(unix, locale) : absolute(unix, format, locale));
  if (format === "r") Object.assign(node.dataset, { countdown: unix, locale: locale || FALLBACK });
}

/** One clock for the whole page: every countdown on every phone shows the same second. */
export function startCountdowns() {
  const tick = () => {
    for (const node of document.querySelectorAll("time[data-countdown]")) {
      const text = relative(Number(node.dataset.countdown), node.dataset.locale);
      if (node.textContent !== text) node.textContent = text;
    }
    setTimeout(tick, 1000 - (Date.now() % 1000));
  };
  tick();
}
