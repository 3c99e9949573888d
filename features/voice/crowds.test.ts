// Voice with very many people: the participants of a server are checked with few queries, and in batches.
import { afterAll, expect, test } from "bun:test";
import { defaultPermissions } from "../../protocol/permissions.ts";
import { serverStream } from "../../server/place.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { comeIn, crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { enter, inside, parlour } from "../../tests/house/scenes/parlour.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { publishingBits } from "./access.ts";
import { checkRooms } from "./guard.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine(
  "a thousand in a voice room",
  (house) => {
    /** The crowd does not include Bob. */
    async function crowded() {
      const scene = await parlour(house(), media);
      const { alice, serverId, room } = scene;
      // Otherwise it would report that the room is empty.
      media.isAway = true;
      const people = await crowd(house(), alice, 1000);
      await comeIn(house(), serverId, people);
      const row = {
        channel_id: room,
        server_id: serverId,
        muted: 0,
        deafened: 0,
        joined_at: 1,
        session_id: null,
      };
      const publishes = publishingBits({ bits: defaultPermissions });
      await fill(
        house(),
        "voice_participants",
        people.map((user_id) => ({ ...row, user_id, sid: user_id, publishes })),
      );
      return scene;
    }

    test("whether all of them may still be there is looked up in few questions, and others have their turn", async () => {
      const { alice, serverId, room } = await crowded();
      const looking = await statementsOf(house(), () =>
        checkRooms(house().running.house, serverStream(serverId)),
      );
      expect(await inside(alice, room)).toHaveLength(1000);
      expect(looking.statements.length).toBeLessThan(200);
      expect(looking.rowsInOneTurn).toBeLessThan(1200);
    });

    test("one more of them comes, and none of the others is looked up", async () => {
      const { alice, bob, room } = await crowded();
      const { rowsInOneTurn } = await statementsOf(house(), () => enter(media, bob, room));
      expect(rowsInOneTurn).toBeLessThan(100);
      expect(await inside(alice, room)).toHaveLength(1001);
    });
  },
  media.settings,
);
