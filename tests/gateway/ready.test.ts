// READY: exactly a listener's initial state, and nothing that is for others.
import { expect, test } from "bun:test";
import { z } from "zod";
import { me } from "../../features/accounts/contract.ts";
import { seenChannel } from "../../features/channels/contract.ts";
import { channelNotifications, serverNotifications } from "../../features/notifications/contract.ts";
import { presenceUpdated } from "../../features/presence/contract.ts";
import { readState } from "../../features/read-states/contract.ts";
import { role } from "../../features/roles/contract.ts";
import { server } from "../../features/servers/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../house/machine/waiting.ts";
import { onEachEngine } from "../house/open/engines.ts";

const entry = z.strictObject({
  ...server.shape,
  channels: z.array(z.strictObject(seenChannel.shape)),
  roles: z.array(z.strictObject(role.shape)),
  role_ids: z.array(z.string()),
  voice: z.array(z.never()),
  presences: z.array(z.strictObject(presenceUpdated.data.shape)),
  seq: z.int().min(1),
});
const ready = z.strictObject({
  user: z.strictObject(me.shape),
  session_id: z.uuid(),
  epoch: z.string().min(1),
  heartbeat_interval_ms: z.literal(30_000),
  personal: z.strictObject({ seq: z.int().min(0) }),
  servers: z.array(entry),
  direct: z.array(z.never()),
  read_states: z.array(z.strictObject(readState.shape)),
  notification_settings: z.strictObject({
    servers: z.array(z.strictObject(serverNotifications.shape)),
    channels: z.array(z.strictObject(channelNotifications.shape)),
  }),
  server_order: z.array(z.uuid()),
});

onEachEngine("READY", (house) => {
  test("has exactly the fields of the contract, and the values that HTTP answers", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const held = await alice.giveRole(home.id, bob, permission.KICK_MEMBERS | permission.VIEW_CHANNEL);
    const said = await alice.say(home.general.id, "hello");

    const ear = await bob.listen();

    const data = ready.parse(ear.ready);
    const [frame] = ear.frames;
    expect(Object.keys(frame ?? {}).sort()).toEqual(["data", "ts", "type"]);
    const sessions = (await bob.get<{ id: string }[]>("/auth/sessions")).body;
    expect(data.session_id).toBe(String(sessions[0]?.id));
    expect(data.user).toEqual({
      ...(await bob.get<typeof data.user>("/auth/me")).body,
      presence: data.user.presence,
    });
    const {
      channels,
      roles,
      role_ids,
      presences: _,
      voice: __,
      seq: ___,
      ...shown
    } = data.servers[0] as z.infer<typeof entry>;
    expect(data.servers).toHaveLength(1);
    expect(shown as unknown).toEqual((await bob.get(`/servers/${home.id}`)).body);
    expect(channels as unknown).toEqual((await bob.get(`/channels?server_id=${home.id}`)).body);
    expect(channels[0]?.last_message_id).toBe(said.id);
    expect(roles as unknown).toEqual((await bob.get(`/servers/${home.id}/roles`)).body);
    expect(role_ids).toEqual([held.id]);
  });

  test("of somebody without servers lists none", async () => {
    const ear = await (await house().person("hermit")).listen();
    expect(ready.parse(ear.ready).servers).toEqual([]);
  });

  test("shows no channel to whom VIEW_CHANNEL is missing, and no server that one is not in", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.makeServer("Elsewhere");
    await alice.bringIn(home.id, bob);
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
      permissions: permission.SEND_MESSAGES,
    });
    const { servers } = ready.parse((await bob.listen()).ready);
    expect(servers.map(({ id, channels, permissions }) => ({ id, channels, permissions }))).toEqual([
      { id: home.id, channels: [], permissions: 0 },
    ]);
  });

  test("shows who is here and how, not who is invisible or away", async () => {
    const [alice, bob, carol, away] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("carol"),
      await house().person("dave"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob, carol, away);
    await bob.patch("/auth/me", { status_text: "building" });
    await bob.put("/auth/me/presence", { status: "dnd" });
    await carol.put("/auth/me/presence", { status: "invisible" });
    const witness = await alice.listen();
    await bob.listen();
    await carol.listen();
    await witness.until(({ type, data }) => type === "PRESENCE_UPDATE" && String(data.user_id) === bob.id);
    let others: z.infer<typeof entry>["presences"] = [];
    // This socket's process may hear of him a moment later.
    await until(async () => {
      const { servers } = ready.parse((await alice.listen()).ready);
      others = servers[0]?.presences.filter(({ user_id }) => user_id !== alice.id) ?? [];
      return others.length > 0;
    }, "Bob is not seen");
    expect(others).toEqual([{ user_id: bob.id, status: "dnd", status_text: "building" }]);
  });
});
