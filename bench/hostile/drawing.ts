// Hostile texts: what drawing one of them costs an engine, and how responsive a channel full of them is.
import { launchChromium } from "../browser.ts";
import { median } from "../medians.ts";
import type { Scale } from "../options.ts";
import type { PageBrowser, PageWindow } from "../page-window.ts";
import { call, type Person, type Stage, setStage } from "../people.ts";
import type { Findings } from "../report.ts";
import { startHearth } from "../servers.ts";
import { launchWebKit } from "../webkit.ts";

const workload = "hostile";
const length = 4000;
/** The number of messages that the page fetches at once. */
const pageLength = 50;
const word = "Hello";
const betweenKeysMs = 100;
/** Pixels of one wheel event. The channel opens at its first unread text, and these events scroll past all fifty. */
const wheelPx = 4000;
/** A page that has loaded all of its parts is busy for less than `idleMs` in `idleForMs`. */
const idleMs = 5;
const idleForMs = 1000;
const mostIdlings = 30;
/** How long syntax colours and late layout may take to be drawn, in milliseconds. */
const restMs = 250;

const grown = (piece: string) => piece.repeat(length / piece.length);
const fenced = (code: string) => `\`\`\`ts\n${code.slice(0, length - 20)}\n\`\`\``;

const texts: readonly string[] = [
  ..."W 字 ﷽ ن ก็ 🇩🇪 👩‍👩‍👧 *_ www. @everyone".split(" "),
  ...["- - - a\n", "- a\n", "> a\n\n", "a\n", "# a\n", "```\na\n```\n", "www.a.example ", "`a` ", "||a|| "],
  ...["#general ", "**a**b"],
]
  .map(grown)
  .concat(
    `a${grown("\u0300").slice(1)}`,
    `👩${"\u200d👩".repeat(length / 3 - 1)}`,
    // Texts that begin like emoji-only ones.
    `${"🇩🇪".repeat(length / 4 - 1)} a`,
    `♀${"\u200d♀".repeat(length / 2 - 2)} a`,
    // The most mentions that a text may have before it is shown unformatted.
    `${"#general ".repeat(190)}${"W ".repeat(1140)}`,
    fenced(grown("a b ")),
    fenced(grown("let a = 1;\n")),
  );

/** Figures are medians of this many rounds: on a shared machine some frames are slow because of other programs. */
const roundsOf = ({ smoke, rounds }: Scale) => (smoke ? 1 : Math.max(3, rounds));

interface Hall extends Stage {
  reader: Person;
  writer: Person;
}

interface Engine {
  name: string;
  /** The Debian packages of the engine. */
  packages: string;
  launch(): Promise<PageBrowser | undefined>;
}

const engines: readonly Engine[] = [
  { name: "Chromium", packages: "chromium", launch: launchChromium },
  { name: "WebKit", packages: "webkit2gtk-driver and xvfb", launch: launchWebKit },
];

/** Returns findings for each engine. The table of an engine that is not installed says so. */
export async function measureDrawing(scale: Scale, logLevel?: string): Promise<Findings[]> {
  const all: Findings[] = [];
  for (const engine of engines) {
    await using browser = await engine.launch();
    all.push(browser ? await measureEngine(engine, browser, scale, logLevel) : notMeasured(engine));
  }
  return all;
}

const notMeasured = ({ name, packages }: Engine): Findings => ({
  rows: [],
  table: `Drawing in ${name} was not measured: Debian's ${packages} are not installed.`,
  raw: { workload, name },
});

async function measureEngine({ name }: Engine, browser: PageBrowser, scale: Scale, logLevel?: string) {
  await using hearth = await startHearth({ logLevel, settings: { AVATAR_URL: "off" } });
  const stage = await setStage(hearth.origin, 2);
  const [writer, reader] = stage.people as [Person, Person];
  const hall = { ...stage, writer, reader };
  const { drawn, shortMs } = await drawEach(browser, hall, scale);
  const openings: { rowMs: number; keys: number[] }[] = [];
  for (let round = 0; round < roundsOf(scale); round++) openings.push(await openFull(browser, hall, scale));
  const rowMs = median(openings.map((each) => each.rowMs));
  const keyMs = median(openings.map(({ keys }) => keys[0] ?? 0));
  const [worst = { text: "", ms: 0 }] = drawn;
  return {
    rows: [
      row(`the dearest of ${drawn.length} texts to be read and drawn in ${name}`, worst.ms, 50),
      {
        workload,
        figure: `a message of one word to arrive and be drawn in ${name}`,
        value: shortMs,
        unit: "ms",
      },
      row(`first row of a channel of ${pageLength} such texts in ${name}`, rowMs, 1000),
      row(`slowest key of ten a second while they are drawn in ${name}`, keyMs, 200),
    ],
    table: `Drawn in ${name} (ms), the dearest first:\n${drawn.slice(0, 5).map(asLine).join("\n")}`,
    raw: { workload, name, drawn, shortMs, openings },
  };
}

const row = (figure: string, value: number, atMost: number) => ({
  workload,
  figure,
  value,
  unit: "ms",
  target: { atMost },
});

const asLine = ({ text, ms }: { text: string; ms: number }) =>
  `${ms.toFixed(1)} ${JSON.stringify(text.slice(0, 30))}`;

const pathOf = ({ serverId }: Stage, channelId: string) => `/servers/${serverId}/channels/${channelId}`;

async function post({ origin, writer }: Hall, channelId: string, content: string): Promise<string> {
  return (await call<{ id: string }>(origin, writer, "POST", `/channels/${channelId}/messages`, { content }))
    .id;
}

/**
 * Posts each text into an open channel, after a message of one word. Returns the milliseconds that each one takes the
 * page beyond that message (script, style and layout), the most expensive first.
 */
async function drawEach(browser: PageBrowser, hall: Hall, scale: Scale) {
  await post(hall, hall.channelId, word);
  await using reader = await browser.open(hall.origin, hall.reader);
  await reader.visit(pathOf(hall, hall.channelId), "article");
  await settle(reader);
  const takenBy = async (text: string) => {
    const before = await reader.busyMs();
    const id = await post(hall, hall.channelId, text);
    await reader.attached(`[data-message-id="${id}"]`);
    await Bun.sleep(restMs);
    return (await reader.busyMs()) - before;
  };
  const short: number[] = [];
  const drawn: { text: string; ms: number }[] = [];
  for (const text of scale.smoke ? texts.slice(0, 2) : texts) {
    const beyond: number[] = [];
    for (let round = 0; round < roundsOf(scale); round++) {
      const shortMs = await takenBy(word);
      short.push(shortMs);
      beyond.push((await takenBy(text)) - shortMs);
    }
    drawn.push({ text, ms: median(beyond) });
  }
  return { drawn: drawn.sort((one, other) => other.ms - one.ms), shortMs: median(short) };
}

/** Waits until the page has loaded all of its parts. */
async function settle(reader: PageWindow): Promise<void> {
  for (let tries = 0; tries < mostIdlings; tries++) {
    const before = await reader.busyMs();
    await Bun.sleep(idleForMs);
    if ((await reader.busyMs()) - before < idleMs) return;
  }
}

/** Opens a channel full of hostile texts, and types into it while scrolling draws its rows. */
async function openFull(browser: PageBrowser, hall: Hall, scale: Scale) {
  const named = { server_id: hall.serverId, name: "full" };
  const { id } = await call<{ id: string }>(hall.origin, hall.writer, "POST", "/channels", named);
  for (let i = 0; i < pageLength; i++) await post(hall, id, texts[i % texts.length] ?? "");
  await using reader = await browser.open(hall.origin, hall.reader);
  await reader.visit(pathOf(hall, hall.channelId), "article");
  await settle(reader);
  const rowMs = await reader.visit(pathOf(hall, id), "article");
  await reader.click("textarea");
  await reader.keys();
  for (let pressed = 0; pressed < (scale.smoke ? 3 : pageLength); pressed++) {
    await reader.wheel(wheelPx);
    await reader.press("a");
    await Bun.sleep(betweenKeysMs);
  }
  return { rowMs, keys: await reader.keys() };
}
