// Rights and overrides that change at the same moment: a channel that moves to an audience of its own meanwhile is told
// once to those who gain it, is taken from those who lose it, and is unknown to all others.
import { expect, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import type { Channel } from "./contract.ts";

const { VIEW_CHANNEL, MANAGE_MESSAGES } = permission;
/** How often each race is run: on one process it is lost each time, on several now and then. */
const rounds = 12;

onEachEngine("while the sight of all changes", (house) => {
  const stage = homeForEach(house);

  const setEveryone = (permissions: number) =>
    stage.olga.patch(`/servers/${stage.home.id}/roles/${stage.home.everyone.id}`, { permissions });
  const make = async (name: string) =>
    (await stage.olga.post<Channel>("/channels", { server_id: stage.home.id, name })).body;
  /** The first override of a channel, which changes for the owner alone, and so for nobody. */
  const moveApart = ({ id }: Channel) =>
    stage.olga.put(`/channels/${id}/overrides/${stage.olga.id}`, { kind: "member", allow: MANAGE_MESSAGES });

  /** The frames that bring the channel or take it away, in order; with `#` if they have a number. */
  async function told(ear: Ear, { id }: Channel): Promise<string[]> {
    await ear.settle();
    return ear.frames
      .filter(({ type, data }) => /^CHANNEL_(CREATE|DELETE)$/.test(type) && String(data.id) === id)
      .map(({ type }) => type);
  }

  test("who gains it is told of each channel once, also of one that gets its first override meanwhile", async () => {
    const { bob } = stage;
    for (let i = 0; i < rounds; i++) {
      const den = await make(`den-${i}`);
      await setEveryone(0);
      const ear = await bob.listen();
      await Promise.all([setEveryone(defaultPermissions), moveApart(den)]);
      expect(await told(ear, den)).toEqual(["CHANNEL_CREATE"]);
      ear.close();
    }
  });

  test("who loses it is told of each channel once, also of one that gets its first override meanwhile", async () => {
    const { bob } = stage;
    for (let i = 0; i < rounds; i++) {
      const den = await make(`den-${i}`);
      await setEveryone(defaultPermissions);
      const ear = await bob.listen();
      await Promise.all([setEveryone(0), moveApart(den)]);
      expect(await told(ear, den)).toEqual(["CHANNEL_DELETE"]);
      ear.close();
    }
  });

  test("who never saw a channel is not told that it goes", async () => {
    const { olga, carol, home } = stage;
    const den = await make("den");
    const denied = { kind: "role", deny: VIEW_CHANNEL };
    await olga.put(`/channels/${den.id}/overrides/${home.everyone.id}`, denied);
    await olga.bringIn(home.id, carol);
    const ear = await carol.listen();
    await setEveryone(0);
    await ear.settle();
    expect(JSON.stringify(ear.frames)).not.toContain(den.id);
    expect(await told(ear, home.general as Channel)).toEqual(["CHANNEL_DELETE"]);
    ear.close();
  });
});
