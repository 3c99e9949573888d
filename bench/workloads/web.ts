// The page in Chromium: time to the first message, channel changes, key latency while it is busy, and its heap.
import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, Reader } from "../browser.ts";
import { compare, median, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Person, type Stage, setStage } from "../people.ts";
import type { Findings, Row } from "../report.ts";
import { type HearthOptions, startHearth } from "../servers.ts";

const workload = "web";
const slowTimes = 4;
const postsPerSecond = 20;
const postsAtOnce = 8;
/** The interval of a fast typist's keys in milliseconds, and the number of keys for each second of a round. */
const keyMs = 100;
const keysPerSecond = 25;
/** How many messages the page fetches at once. */
const pageLength = 50;
/** How often the page is visited again, each time with a change to a channel that was not open yet. */
const visits = 3;
/** How many changes between two channels are measured, and the rest before each (ms), as short as any reader's. */
const waysBetween = 6;
const restMs = 500;
/** Scrolling up a channel: the pause between wheel events (ms), and the most events. */
const wheelMs = 50;
const mostTurns = 60;
/** How many turns each page has in a round against another checkout: one commit's times differ by a third. */
const turnsARound = 2;
const mebibyte = 1024 * 1024;

interface Hall extends Stage {
  reader: Person;
  writer: Person;
  /** Channels with one page of messages each, for the timed changes. */
  rooms: readonly string[];
  /** The channels with all other messages. */
  channelIds: string[];
}

interface Turn {
  cold: number;
  warm: number;
  unknown: number;
  known: number;
  slowestKey: number;
  /** The slowest key, leaving out the slowest of each fifty, as "interaction to next paint" is defined. */
  toNextPaint: number;
}

/** Resolves to undefined when Chromium is not installed. */
export async function measureWeb(scale: Scale, logLevel?: string): Promise<Findings | undefined> {
  const browser = await launchBrowser();
  if (!browser) return undefined;
  try {
    await using hearth = await startHearth(optionsOf(logLevel));
    const hall = await setHall(hearth.origin, scale);
    const turns: Turn[] = [];
    for (let round = 0; round < scale.rounds; round++) turns.push(await takeTurn(browser, hall, scale));
    const held = await hold(browser, hall, scale);
    const rows = rowsOf((figure) => ({ value: median(turns.map(figure)) }));
    return { rows: [...rows, ...held.rows], raw: { workload, turns, held: held.raw } };
  } finally {
    await browser.close();
  }
}

/**
 * Compares the page with another checkout's: both servers run, and the pages take turns in one browser.
 * Resolves to undefined when Chromium is not installed.
 */
export async function measureWebAgainst(
  checkout: string,
  scale: Scale,
  logLevel?: string,
): Promise<Findings | undefined> {
  const browser = await launchBrowser();
  if (!browser) return undefined;
  try {
    await using hearth = await startHearth(optionsOf(logLevel));
    await using other = await startHearth({ ...optionsOf(logLevel), checkout: resolve(checkout) });
    const hall = await setHall(hearth.origin, scale);
    const otherHall = await setHall(other.origin, scale);
    const turns = await takeTurns(
      scale.roundsAgainst * turnsARound,
      () => takeTurn(browser, hall, scale),
      () => takeTurn(browser, otherHall, scale),
    );
    const held = await hold(browser, hall, scale);
    const otherHeld = await hold(browser, otherHall, scale);
    const rows = rowsOf((figure) => compare(turns, figure));
    for (const [at, row] of held.rows.entries()) {
      const reference = otherHeld.rows[at]!.value;
      rows.push({ ...row, reference, ratio: row.value / reference });
    }
    return { rows, raw: { workload, turns, held: [held.raw, otherHeld.raw] } };
  } finally {
    await browser.close();
  }
}

function optionsOf(logLevel: string | undefined): HearthOptions {
  return { logLevel, settings: { AVATAR_URL: "off" } };
}

type Summary = (figure: (turn: Turn) => number) => Pick<Row, "value" | "reference" | "ratio" | "spread">;

function rowsOf(summary: Summary): Row[] {
  const row = (figure: string, value: (turn: Turn) => number, atMost?: number): Row => ({
    workload,
    figure,
    unit: "ms",
    ...summary(value),
    ...(atMost !== undefined && { target: { atMost } }),
  });
  const busily = `${slowTimes} times slowed, ${postsPerSecond} posts a second`;
  return [
    row(`first message, never here before, ${slowTimes} times slowed`, ({ cold }) => cold, 2000),
    row("first message, here before", ({ warm }) => warm, 400),
    row("a channel that was not open yet", ({ unknown }) => unknown, 300),
    row("a channel that was open before", ({ known }) => known, 50),
    row(`interaction to next paint, ${busily}`, ({ toNextPaint }) => toNextPaint, 100),
    row(`slowest key of ten a second, ${busily}`, ({ slowestKey }) => slowestKey),
  ];
}

/** Creates a server with many channels, messages spread evenly over them, and two people: a reader and a writer. */
async function setHall(origin: string, scale: Scale): Promise<Hall> {
  const stage = await setStage(origin, 2);
  const [writer, reader] = stage.people as [Person, Person];
  const open = async (name: string) => {
    const body = { server_id: stage.serverId, name };
    return (await call<{ id: string }>(origin, writer, "POST", "/channels", body)).id;
  };
  const rooms = [await open("first room")];
  while (rooms.length <= visits) rooms.push(await open(`room ${rooms.length}`));
  const channelIds = [stage.channelId];
  while (channelIds.length < scale.webChannels) channelIds.push(await open(`hall ${channelIds.length}`));
  const hall = { ...stage, writer, reader, rooms, channelIds };
  await fill(hall, rooms, rooms.length * pageLength);
  await fill(hall, channelIds, scale.webMessages);
  return hall;
}

async function fill(hall: Hall, channelIds: readonly string[], messages: number): Promise<void> {
  let left = messages;
  await Promise.all(
    Array.from({ length: postsAtOnce }, async () => {
      while (left-- > 0)
        await post(hall, channelIds[left % channelIds.length]!, `Message ${left}, of some length.`);
    }),
  );
}

function post({ origin, writer }: Hall, channelId: string, content: string): Promise<unknown> {
  return call(origin, writer, "POST", `/channels/${channelId}/messages`, { content });
}

function pathOf({ serverId }: Hall, channelId: string): string {
  return `/servers/${serverId}/channels/${channelId}`;
}

async function takeTurn(browser: Browser, hall: Hall, scale: Scale): Promise<Turn> {
  await using reader = await Reader.open(browser, hall.origin, hall.reader);
  const visited = await visit(reader, hall);
  const keys = await type(reader, hall, scale);
  return { ...visited, slowestKey: keys[0] ?? 0, toNextPaint: keys[Math.floor(keys.length / 50)] ?? 0 };
}

async function visit(reader: Reader, hall: Hall): Promise<Omit<Turn, "slowestKey" | "toNextPaint">> {
  const first = hall.rooms[0]!;
  await reader.slowDown(slowTimes);
  const cold = await reader.visit(pathOf(hall, first), "article");
  await reader.slowDown(1);
  await reader.visit(pathOf(hall, first), "article");
  const warm: number[] = [];
  const unknown: number[] = [];
  for (const other of hall.rooms.slice(1)) {
    warm.push(await reader.visit(pathOf(hall, first), "article"));
    unknown.push(await change(reader, hall, other));
  }
  const known = await goBackAndForth(reader, hall, [first, hall.rooms.at(-1)!]);
  return { cold, warm: median(warm), unknown: median(unknown), known };
}

/** Types in a busy channel. Returns how long (ms) each key took; longest first. */
async function type(reader: Reader, hall: Hall, scale: Scale): Promise<number[]> {
  const [hallId] = hall.channelIds as [string];
  await change(reader, hall, hallId);
  await reader.slowDown(slowTimes);
  const busy = traffic(hall, hallId);
  await reader.click("textarea");
  await reader.keys();
  const keys = scale.seconds * keysPerSecond;
  const begun = performance.now();
  for (let pressed = 1; pressed <= keys; pressed++) {
    await reader.press("a");
    await Bun.sleep(Math.max(0, begun + pressed * keyMs - performance.now()));
  }
  const taken = await reader.keys();
  await busy.end();
  return taken;
}

/** Follows the link of a channel. Returns the milliseconds until its messages are shown. */
function change(reader: Reader, hall: Hall, channelId: string): Promise<number> {
  const link = `a[href="${pathOf(hall, channelId)}"]`;
  return reader.follow(link, `[data-channel-id="${channelId}"] article`);
}

/** Returns the median time of changes between two channels that were open before, in milliseconds. */
async function goBackAndForth(reader: Reader, hall: Hall, rooms: [string, string]): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < waysBetween; i++) {
    await Bun.sleep(restMs);
    taken.push(await change(reader, hall, rooms[i % 2]!));
  }
  return median(taken);
}

/** Posts at a fixed rate until it is ended. */
function traffic(hall: Hall, channelId: string): { end(): Promise<void> } {
  let isOver = false;
  let posted = 0;
  const begun = performance.now();
  const running = (async () => {
    while (!isOver) {
      await post(hall, channelId, `Traffic ${posted++}`);
      const due = begun + (posted * 1000) / postsPerSecond;
      await Bun.sleep(Math.max(0, due - performance.now()));
    }
  })();
  return {
    end() {
      isOver = true;
      return running;
    },
  };
}

/** Measures the page's memory after all channels were read, and its growth in a busy one. */
async function hold(browser: Browser, hall: Hall, scale: Scale): Promise<{ rows: Row[]; raw: object }> {
  // With nothing unread, each channel opens at its end, and is read upwards from there.
  await call(hall.origin, hall.reader, "POST", `/servers/${hall.serverId}/read`);
  await using reader = await Reader.open(browser, hall.origin, hall.reader);
  await reader.visit(pathOf(hall, hall.channelIds[0]!), "article");
  const pages = Math.ceil(scale.webMessages / scale.webChannels / pageLength);
  let mostRows = 0;
  let read = 0;
  for (const channelId of hall.channelIds.toReversed()) {
    await change(reader, hall, channelId);
    await reader.page.mouse.move(700, 400);
    for (let turns = 0; turns < mostTurns && reader.pagesOf(channelId) < pages; turns++) {
      await reader.page.mouse.wheel(0, -4000);
      mostRows = Math.max(mostRows, await reader.count("article"));
      await Bun.sleep(wheelMs);
    }
    read += Math.min(pages, reader.pagesOf(channelId)) * pageLength;
  }
  const heap = await reader.heapBytes();
  const busy = traffic(hall, hall.channelIds[0]!);
  await Bun.sleep((scale.soakSeconds * 1000) / 4);
  const begun = await reader.heapBytes();
  await Bun.sleep(scale.soakSeconds * 750);
  const ended = await reader.heapBytes();
  await busy.end();
  const rows: Row[] = [
    {
      workload,
      figure: `heap after ${read} messages in ${scale.webChannels} channels`,
      value: heap / mebibyte,
      unit: "MiB",
      target: { atMost: 80 },
    },
    { workload, figure: "rows mounted at most", value: mostRows, unit: "", target: { atMost: 80 } },
    {
      workload,
      figure: `heap grows in ${scale.soakSeconds * 0.75} s of traffic by`,
      value: (ended / begun - 1) * 100,
      unit: "%",
      target: { below: 10 },
    },
  ];
  return { rows, raw: { heap, begun, ended, mostRows, read } };
}
