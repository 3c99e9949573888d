// Tells who is here: by connections, by choice, and by their absence some seconds after the last socket went.
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../../protocol/limits.ts";
import { type Feature, frame, handle } from "../../server/feature.ts";
import { type House, perHouse } from "../../server/house.ts";
import type { Unit } from "../../server/unit.ts";
import {
  type ChosenPresence,
  everybodyHere,
  isHere,
  selectUser,
  setHere,
  shownPresence,
  updateUser,
  usersById,
} from "../accounts/access.ts";
import { membersAmong } from "../members/access.ts";
import { announce, stateOf } from "./access.ts";
import * as contract from "./contract.ts";

/** A reconnect within this time goes unnoticed by others. */
const goneAfterMs = 10_000;

const leaving = perHouse(() => new Map<string, ReturnType<typeof setTimeout>>());

export const presence: Feature = {
  name: "presence",
  events: [contract.presenceUpdated],
  operations: [
    handle(contract.setPresence, ({ caller, body, unit }) => choose(unit, caller.userId, body.status)),
  ],
  frames: [
    frame(
      "PRESENCE_UPDATE",
      contract.chosenPresence,
      (unit, caller, data) => choose(unit, caller.userId, data.status),
      { lastHolds: true },
    ),
  ],
  connected(house, userId) {
    const timer = leaving(house).get(userId);
    clearTimeout(timer);
    leaving(house).delete(userId);
    if (!timer || !isHere(house, userId)) inBackground(house, arrive(house, userId));
  },
  disconnected(house, userId) {
    const timer = setTimeout(() => {
      leaving(house).delete(userId);
      inBackground(house, leave(house, userId));
    }, goneAfterMs);
    leaving(house).set(userId, timer);
  },
  async ready(unit, _caller, serverIds) {
    const here = [...everybodyHere(unit.house)]
      .filter((id) => shownPresence(unit.house, id) !== "offline")
      .slice(0, mostAsked);
    const shown = new Map<string, string[]>();
    for (const serverId of serverIds) {
      shown.set(serverId, await membersAmong(unit.db, serverId, here, limits.presences_max));
    }
    // People who share one server share others: each of them is read once.
    const users = await usersById(unit, [...new Set([...shown.values()].flat())]);
    const parts = new Map<string, Record<string, unknown>>();
    for (const [serverId, ids] of shown) {
      const presences = ids.map((id) => stateOf(unit.house, id, users.get(id)?.status_text ?? ""));
      parts.set(serverId, { presences });
    }
    return parts;
  },
  close(house) {
    for (const timer of leaving(house).values()) clearTimeout(timer);
  },
};

/** Of those who are here, READY asks about at most so many. */
const mostAsked = 5000;

/** How somebody wishes to be seen, from when they said so until it is written. */
interface Choice {
  status: ChosenPresence;
  isBeingWritten: boolean;
  written: Promise<void>;
}

/** The last choice of each person. */
const choices = perHouse(() => new Map<string, Choice>());

/** While one choice is being written, only the last one that waits is kept: each is a commit. */
function choose(unit: Unit, userId: string, status: ChosenPresence): Promise<void> {
  const last = choices(unit.house).get(userId);
  if (last && !last.isBeingWritten) {
    last.status = status;
    return last.written;
  }
  const choice: Choice = { status, isBeingWritten: false, written: Promise.resolve() };
  choices(unit.house).set(userId, choice);
  choice.written = writeAfter(last, choice, unit, userId);
  return choice.written;
}

async function writeAfter(last: Choice | undefined, choice: Choice, unit: Unit, userId: string) {
  await last?.written.catch(() => {});
  // What came in together with it is heard first.
  await nextTurn();
  choice.isBeingWritten = true;
  try {
    await write(unit, userId, choice.status);
  } finally {
    if (choices(unit.house).get(userId) === choice) choices(unit.house).delete(userId);
  }
}

async function write(unit: Unit, userId: string, status: ChosenPresence): Promise<void> {
  const { house } = unit;
  const before = await selectUser(unit.db, userId);
  if (!before || before.presence === status) return;
  await house.write((alone) => updateUser(alone.db, userId, { presence: status }));
  if (!isHere(house, userId)) return;
  const shown = shownPresence(house, userId);
  setHere(house, userId, status);
  if (shownPresence(house, userId) !== shown) await announce(unit, userId, before.status_text);
}

async function arrive(house: House, userId: string): Promise<void> {
  await house.read(async (unit) => {
    const user = await selectUser(unit.db, userId);
    if (!user) return;
    setHere(house, userId, user.presence);
    if (shownPresence(house, userId) !== "offline") await announce(unit, userId, user.status_text);
  });
}

async function leave(house: House, userId: string): Promise<void> {
  const seen = shownPresence(house, userId) !== "offline";
  setHere(house, userId, null);
  if (!seen) return;
  await house.read(async (unit) => {
    const user = await selectUser(unit.db, userId);
    await announce(unit, userId, user?.status_text ?? "");
  });
}

function inBackground(house: House, work: Promise<void>): void {
  work.catch((error) => house.log.error({ err: error }, "presence could not be told"));
}
