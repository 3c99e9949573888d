// Markers that cannot be stored wait until they can be, up to a limit.
import { expect, test } from "bun:test";
import { sql } from "kysely";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { readState, stored } from "../../tests/house/scenes/read-states.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Channel } from "../channels/contract.ts";
import { gathering, gatheringPace } from "./gathering.ts";

/** SQL that makes a database reject markers, and that lets them in again. */
const obstacles = {
  SQLite: {
    put: sql`create trigger no_markers before insert on read_markers begin select raise(abort, 'no'); end`,
    remove: sql`drop trigger no_markers`,
  },
  PostgreSQL: {
    put: sql`alter table read_markers add constraint no_markers check (false) not valid`,
    remove: sql`alter table read_markers drop constraint no_markers`,
  },
};

onOneProcess(
  "markers that cannot be stored",
  (house) => {
    const stage = homeForEach(house);

    async function setObstacle(act: "put" | "remove"): Promise<void> {
      const { database } = house().running.house;
      await database.transaction((db) => obstacles[house().engine][act].execute(db));
    }

    test("wait, are shown meanwhile, and are stored and told once they can be, each by the last word", async () => {
      const { olga, bob, home } = stage;
      const den = (await olga.post<Channel>("/channels", { server_id: home.id, name: "den" })).body;
      const first = await olga.say(home.general.id, "one");
      const second = await olga.say(home.general.id, "two");
      const third = await olga.say(den.id, "three");
      await stored(house());
      const ear = await bob.listen();
      const mark = async ({ channel_id, id }: typeof first) =>
        expect((await bob.put(`/channels/${channel_id}/read`, { message_id: id })).status).toBe(204);
      await setObstacle("put");
      try {
        for (const message of [first, third]) await mark(message);
        await stored(house());
        await mark(second);
        await stored(house());
        expect((await readState(bob, home.general.id))?.last_read_id).toBe(second.id);
        await ear.settle();
        expect(ear.heard("READ_STATE_UPDATE")).toEqual([]);
      } finally {
        await setObstacle("remove");
      }
      // Retried although nobody does anything more.
      const told = [await ear.next("READ_STATE_UPDATE"), await ear.next("READ_STATE_UPDATE")];
      expect(told.map(({ data }) => String(data.last_read_id)).sort()).toEqual([second.id, third.id].sort());
      await stored(house());
      await ear.settle();
      expect(ear.heard("READ_STATE_UPDATE")).toHaveLength(2);
      ear.close();
    });

    test("are a hundred thousand at most: one more is refused, but nobody's message is", async () => {
      const { olga, bob, home } = stage;
      const { house: running } = house().running;
      // Each of them would be sent to other processes there.
      if (running.isShared) return;
      const { id } = await olga.say(home.general.id, "hello");
      await stored(house());
      const note = (number: number) =>
        gathering(running).note({
          ...{ userId: bob.id, serverId: "elsewhere", channelId: `channel ${number}`, lastReadId: id },
          isTold: true,
        });
      const pace = gatheringPace(running);
      const usual = { ...pace };
      const path = `/channels/${home.general.id}/read`;
      Object.assign(pace, { gatherMs: 3600_000, soonMs: 3600_000 });
      try {
        for (let i = 0; i < 100_000; i++) note(i);
        // A marker that is pending already is moved all the same.
        note(7);
        expect(verdict(await bob.put(path, { message_id: id }))).toBe("503 unavailable");
        await bob.say(home.general.id, "I go on");
        gathering(running).forget({ userId: bob.id, serverId: "elsewhere" });
        expect(verdict(await bob.put(path, { message_id: id }))).toBe("204");
      } finally {
        gathering(running).forget({ userId: bob.id, serverId: "elsewhere" });
        Object.assign(pace, usual);
        await stored(house());
      }
    });
  },
  { LOG_LEVEL: "silent" },
);
