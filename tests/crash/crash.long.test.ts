// Acknowledged messages survive `kill -9` exactly once, and listeners miss none.

import { expect, test } from "bun:test";
import { BEFORE_ALL, pagesAfter } from "../../tools/client/history.ts";
import { Listener } from "../../tools/client/listener.ts";
import { type Person, register } from "../../tools/client/person.ts";
import { openRoom } from "../../tools/client/room.ts";
import { Tally } from "../../tools/client/tally.ts";
import type { Message } from "../../tools/client/wire.ts";
import { chanceFor } from "../house/machine/chance.ts";
import { freePort } from "../house/machine/port.ts";
import { endProcess, type ServerProcess, spawnServer } from "../house/machine/process.ts";
import { towns } from "./town.ts";
import { type Said, startWriters } from "./writers.ts";

const KILLS = 50;
/** On a slow machine each kill interrupts fewer posts. */
const MOST_KILLS = 300;
const LONGEST_LIFE_MS = 400;
const WRITERS = ["ada", "ben", "cleo", "dov", "eve", "finn", "gwen", "hugo"];
const LISTENERS = ["iris", "jon", "kim"];

interface Attendant {
  listener: Listener;
  tally: Tally;
}

const { afterwards, newFolder, start } = towns();
const chance = chanceFor("kills");

test(`after ${KILLS} kills every acknowledged message is there once and every listener resumed without a hole`, async () => {
  const settings = { DATA_DIR: newFolder(), PORT: String(await freePort()) };
  const server = await start(settings);
  const room = await openRoom(server.url, {
    owner: "olga",
    channels: ["left", "right"],
    members: [...WRITERS, ...LISTENERS],
  });
  const channels = [...room.channels.values()];
  const members = [...room.members.values()];
  const audience = members.slice(WRITERS.length).map(listen);
  await Promise.all(audience.map(({ listener }) => listener.start()));
  const writers = startWriters(members.slice(0, WRITERS.length), channels);
  afterwards(writers.giveUp);
  const isEnough = () => writers.interrupted > KILLS && writers.keptUnanswered > 0;
  const startsInMs = await killAgainAndAgain(server, settings, audience, isEnough);
  await writers.stop();

  await expectKeptOnce(room.owner, channels, writers.acknowledged);
  await expectHeardOnce(audience, new Set(writers.acknowledged.keys()));
  // Proves that kills interrupted posts, some before their commit and some after it.
  expect(writers.interrupted).toBeGreaterThan(KILLS);
  expect(writers.keptUnanswered).toBeGreaterThan(0);
  console.info(
    `${startsInMs.length} kills, ${writers.acknowledged.size} messages, ${writers.interrupted} interrupted, ` +
      `${writers.keptUnanswered} of them kept; ready in ${Math.round(Math.max(...startsInMs))} ms at the slowest`,
  );
}, 900_000);

test("killed while it makes its tables, it starts the next time", async () => {
  const whole = await start({ DATA_DIR: newFolder() });
  for (let time = 1; time <= 6; time++) {
    const settings = { DATA_DIR: newFolder() };
    const child = spawnServer(settings);
    await Bun.sleep(chance() * whole.startedInMs);
    await endProcess(child, "SIGKILL");
    const server = await start(settings);
    await register(server.url, "ada", "correct horse battery");
    await server.stop();
  }
});

/** Kills at least KILLS times, and until `isEnough`. Returns the time from each start to its ready line, in ms. */
async function killAgainAndAgain(
  first: ServerProcess,
  settings: Record<string, string>,
  audience: Attendant[],
  isEnough: () => boolean,
): Promise<number[]> {
  const startsInMs: number[] = [];
  for (let server = first, kill = 1; kill <= KILLS || (kill <= MOST_KILLS && !isEnough()); kill++) {
    await Bun.sleep(chance() * LONGEST_LIFE_MS);
    await server.kill();
    server = await start(settings);
    startsInMs.push(server.startedInMs);
    await Promise.all(audience.map(({ listener }) => listener.untilListening(180_000)));
    expect(audience.map(({ listener }) => listener.counts.resumes)).toEqual(audience.map(() => kill));
  }
  return startsInMs;
}

async function expectKeptOnce(
  reader: Person,
  channels: string[],
  acknowledged: Map<string, Said>,
): Promise<void> {
  const kept = await everythingSaid(reader, channels);
  const keptIds = new Set(kept.map((message) => message.id));
  expect([...acknowledged.keys()].filter((id) => !keptIds.has(id))).toEqual([]);
  expect(kept.filter((message) => !acknowledged.has(message.id))).toEqual([]);
  expect(keptIds.size).toBe(kept.length);
  expect(new Set(kept.map((message) => message.nonce)).size).toBe(kept.length);
  for (const message of kept) expect(asSaid(message)).toEqual(acknowledged.get(message.id) as Said);
}

async function expectHeardOnce(audience: Attendant[], acknowledged: Set<string>): Promise<void> {
  await waitFor(() => audience.every(({ tally }) => tally.heard >= acknowledged.size), 180_000);
  for (const { tally, listener } of audience) {
    const verdict = tally.judge(acknowledged, listener.counts.disorders);
    expect(verdict).toEqual({ missing: 0, duplicate: 0, outOfOrder: 0, unknown: 0 });
    expect(listener.counts.readies).toBe(1);
  }
}

function listen(person: Person): Attendant {
  const tally = new Tally();
  const listener = new Listener(person, (message, how) => tally.add(message, how));
  afterwards(() => listener.stop());
  return { tally, listener };
}

async function everythingSaid(reader: Person, channels: string[]): Promise<Message[]> {
  const pages = await Promise.all(
    channels.map((channel) => Array.fromAsync(pagesAfter(reader, channel, BEFORE_ALL))),
  );
  return pages.flat(2);
}

function asSaid({ nonce, author, channel_id, content }: Message): Said {
  return { nonce: nonce ?? "", author: author.id, channel: channel_id, content };
}

async function waitFor(condition: () => boolean, patienceMs: number): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!condition() && performance.now() < end) await Bun.sleep(5);
}
