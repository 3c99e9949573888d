// Presence by connections, by choice, and by absence some seconds after a person's last socket closed.

import { limits } from "../../protocol/limits.ts";
import { type Feature, frame, handle, when } from "../../server/house/feature.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { nextTurn, pieces, rowsAtOnce } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { idOf } from "../../server/place.ts";
import { Queues } from "../../server/queue.ts";
import {
  type ChosenPresence,
  choosePresence,
  isConnected,
  selectStatusTexts,
  selectUser,
  setConnected,
  setDisconnected,
  shownPresence,
} from "../accounts/access.ts";
import { selectMembersOf } from "../members/access.ts";
import { memberAdded } from "../members/contract.ts";
import { stateOf, tellPresence } from "./access.ts";
import { noteConnected, noteDisconnected, noteMembers, shownIn } from "./connected.ts";
import * as contract from "./contract.ts";

/** A reconnect within this time goes unnoticed by others. */
const goneAfterMs = 10_000;

const leaving = perHouse("truth", () => new Map<string, ReturnType<typeof setTimeout>>());

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
    if (!timer || !isConnected(house, userId)) inTurn(house, userId, arrive);
  },
  disconnected(house, userId) {
    const timer = setTimeout(() => {
      leaving(house).delete(userId);
      inTurn(house, userId, leave);
    }, goneAfterMs);
    leaving(house).set(userId, timer);
  },
  // Noted before the commit that makes a person a member is published, so that no READY that contains the membership misses
  // them.
  eventHandlers: [
    when(memberAdded, async ({ house }, { stream }, { user }) => {
      if (isConnected(house, user.id)) noteConnected(house, user.id, [idOf(stream)]);
    }),
  ],
  committed: noteMembers,
  readyShapes: contract.readyShapes,
  async ready({ house, db }, _caller, serverIds) {
    const shown = new Map<string, ReturnType<typeof stateOf>[]>(serverIds.map((id) => [id, []]));
    const hasRoom = (id: string) => (shown.get(id)?.length ?? 0) < limits.presences_max;
    for (const some of pieces(shownIn(house, serverIds, hasRoom), () => 1, rowsAtOnce)) {
      const members = await selectMembersOf(db, some);
      const texts = await selectStatusTexts(db, [...new Set(members.map((member) => member.user_id))]);
      for (const { server_id, user_id } of members) {
        if (hasRoom(server_id)) shown.get(server_id)?.push(stateOf(house, user_id, texts.get(user_id) ?? ""));
      }
      if (some.length === rowsAtOnce) await nextTurn();
    }
    return new Map([...shown].map(([serverId, presences]) => [serverId, { presences }]));
  },
  close(house) {
    for (const timer of leaving(house).values()) clearTimeout(timer);
  },
};

/** By person: while one choice is being written, only the last one that waits is kept, as each is a commit. */
const choices = perHouse("queue", () => new OnceMore());

function choose(unit: UnitOfWork, userId: string, status: ChosenPresence): Promise<void> {
  return choices(unit.house).run(userId, () => write(unit, userId, status));
}

async function write(unit: UnitOfWork, userId: string, status: ChosenPresence): Promise<void> {
  const { house } = unit;
  const before = await selectUser(unit.db, userId);
  if (!before || before.presence === status) return;
  await unit.write((alone) => choosePresence(alone, userId, status));
  if (!isConnected(house, userId)) return;
  const shown = shownPresence(house, userId);
  setConnected(house, userId, status);
  if (shownPresence(house, userId) !== shown) await tellPresence(unit, userId, before.status_text);
}

async function arrive(house: House, userId: string): Promise<void> {
  await house.read(async (unit) => {
    const user = await selectUser(unit.db, userId);
    if (!user) return;
    // Set as connected first: joins from now on are noted by `noteMembers`.
    setConnected(house, userId, user.presence);
    const isShown = shownPresence(house, userId) !== "offline";
    const serverIds = isShown
      ? await tellPresence(unit, userId, user.status_text)
      : await house.rights.serversOf(unit, userId);
    noteConnected(house, userId, serverIds);
  });
}

async function leave(house: House, userId: string): Promise<void> {
  const wasShown = shownPresence(house, userId) !== "offline";
  setDisconnected(house, userId);
  await house.read(async (unit) => {
    const user = await selectUser(unit.db, userId);
    const serverIds = wasShown
      ? await tellPresence(unit, userId, user?.status_text ?? "")
      : await house.rights.serversOf(unit, userId);
    // The person may have connected again.
    if (!isConnected(house, userId)) noteDisconnected(house, userId, serverIds);
  });
}

/** By person. Who came and went while the database was slow is gone in the end. */
const moves = perHouse("queue", () => new Queues());

function inTurn(house: House, userId: string, move: typeof arrive): void {
  const moved = moves(house).run(userId, () => move(house, userId));
  moved.catch((error) => house.log.error({ err: error }, "presence could not be told"));
}
