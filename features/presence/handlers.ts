// Presence: derived from connections to any process, from the person's choice, and from whether a device is touched.

import { limits } from "../../protocol/limits.ts";
import { type Feature, frame, handle, when } from "../../server/house/feature.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { pieces, pieceTurn, rowsAtOnce } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { idOf } from "../../server/place.ts";
import {
  type ChosenPresence,
  choosePresence,
  lockUser,
  selectStatusTexts,
  selectUser,
} from "../accounts/access.ts";
import { type MemberKey, selectMembersOf } from "../members/access.ts";
import { memberAdded } from "../members/contract.ts";
import { lookEverywhere, looked, looksOf, stateOf } from "./access.ts";
import { noteCame, noteConnected, noteMembers, shownIn } from "./connected.ts";
import * as contract from "./contract.ts";

export const presence: Feature = {
  name: "presence",
  events: [contract.presenceUpdated],
  operations: [
    handle(contract.setPresence, ({ caller, body, unit }) => choose(unit, caller.userId, body.status)),
  ],
  frames: [
    frame(
      "PRESENCE_UPDATE",
      contract.saidPresence,
      (unit, caller, data) => choose(unit, caller.userId, data.status),
      { lastHolds: true, idle: ({ status, auto }) => (auto ? status === "idle" : undefined) },
    ),
  ],
  connectionsChanged(house, userIds) {
    void looksOf(house).at(userIds);
  },
  told(house, data) {
    const about = data as string[] | MemberKey;
    if (Array.isArray(about)) void looksOf(house).at(about);
    else if (noteCame(house, about)) void looksOf(house).cameInto(about);
  },
  // Runs before the commit that makes a person a member is published, so that no READY with the membership misses their
  // presence.
  eventHandlers: [
    when(memberAdded, async (unit, { home }, { user }) => {
      const { house } = unit;
      const came: MemberKey = { server_id: idOf(home), user_id: user.id };
      if (house.connections.has(user.id)) noteConnected(house, user.id, [came.server_id]);
      if (house.isShared) unit.tellProcesses("presence", came);
    }),
  ],
  committed: { rights: noteMembers },
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
      if (some.length === rowsAtOnce) await pieceTurn();
    }
    return new Map([...shown].map(([serverId, presences]) => [serverId, { presences }]));
  },
  close(house) {
    looksOf(house).close();
  },
};

/** By person: while one choice is being written, only the last waiting one is kept, as each is a commit. */
const choices = perHouse("queue", () => new OnceMore());

function choose(unit: UnitOfWork, userId: string, status: ChosenPresence): Promise<void> {
  return choices(unit.house).run(userId, () => write(unit, userId, status));
}

async function write(unit: UnitOfWork, userId: string, status: ChosenPresence): Promise<void> {
  const before = await selectUser(unit.db, userId);
  if (!before || before.presence === status) return;
  await unit.write(async (alone) => {
    const locked = await lockUser(alone, userId);
    if (!locked) return;
    await choosePresence(alone, locked, status);
    lookEverywhere(alone, [userId]);
  });
  await looked(unit.house);
}
