// Voice tokens: for one room, one person, five minutes, and exactly the permitted grants.
import { afterAll, expect, test } from "bun:test";
import { type ClaimGrants, TokenVerifier } from "livekit-server-sdk";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble, livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { send } from "../../tests/house/people/people.ts";
import { askToken, parlour } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

const { VIEW_CHANNEL, CONNECT_VOICE, SPEAK_VOICE, SHARE_SCREEN } = permission;
const voiceBits: readonly number[] = [CONNECT_VOICE, SPEAK_VOICE, SHARE_SCREEN];

function claimsOf(token: string): Promise<ClaimGrants> {
  return new TokenVerifier(livekitKey, livekitSecret).verify(token);
}

onEachEngine(
  "voice tokens",
  (house) => {
    test("each combination of the three bits gives exactly what it says, and no CONNECT_VOICE no token", async () => {
      const { alice, bob, serverId, everyone, room } = await parlour(house(), media);
      for (let combination = 0; combination < 8; combination++) {
        const held = voiceBits.filter((_, i) => combination & (1 << i));
        const permissions = held.reduce((bits, bit) => bits | bit, VIEW_CHANNEL as number);
        await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
        const answer = await askToken(bob, room);
        if (!held.includes(CONNECT_VOICE)) {
          expect(verdict(answer)).toBe("403 forbidden");
          continue;
        }
        expect(answer.status).toBe(200);
        expect(answer.body.livekit_url).toBe(media.url);
        const sources = [
          ...(held.includes(SPEAK_VOICE) ? ["microphone", "camera"] : []),
          ...(held.includes(SHARE_SCREEN) ? ["screen_share", "screen_share_audio"] : []),
        ];
        const claims = await claimsOf(answer.body.token);
        // Compared as a whole, so that no admin grant goes unnoticed.
        expect(claims.video as unknown).toEqual({
          room,
          roomJoin: true,
          canSubscribe: true,
          canPublish: sources.length > 0,
          canPublishSources: sources,
          canPublishData: false,
          canUpdateOwnMetadata: false,
        });
        expect([claims.sub, claims.name, claims.iss]).toEqual([bob.id, "bob", livekitKey]);
        expect(Object.keys(claims).sort()).toEqual(["exp", "iss", "name", "nbf", "sub", "video"]);
        const lifetime = Number(claims.exp) - Number(claims.nbf);
        expect(lifetime).toBeGreaterThan(290);
        expect(lifetime).toBeLessThanOrEqual(301);
      }
    });

    test("what is no voice channel that one can see is not there: text channel, other server, unknown, free text", async () => {
      const { alice, bob, mallory, serverId, everyone, general, room } = await parlour(house(), media);
      const elsewhere = await parlour(house(), media);
      for (const name of [
        general,
        elsewhere.room,
        crypto.randomUUID(),
        "lobby",
        "",
        "../x",
        "%",
        "\u{1F399}",
      ]) {
        expect(verdict(await askToken(bob, name))).toBe("404 not_found");
      }
      expect(verdict(await askToken(mallory, room))).toBe("404 not_found");
      const allButSight = CONNECT_VOICE | SPEAK_VOICE | SHARE_SCREEN;
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: allButSight });
      expect(verdict(await askToken(bob, room))).toBe("404 not_found");
      await alice.delete(`/channels/${room}`);
      expect(verdict(await askToken(alice, room))).toBe("404 not_found");
    });

    test("no session: 401; a wrong shape: 400; an id in capitals is the same id", async () => {
      const { alice, room } = await parlour(house(), media);
      const ask = (token: string | undefined, body: unknown) =>
        send(house(), token, "POST", "/voice/token", body);
      expect(verdict(await ask(undefined, { room_name: room }))).toBe("401 unauthenticated");
      for (const body of [{}, { room_name: 7 }, { room_name: null }, []]) {
        expect(verdict(await ask(alice.token, body))).toBe("400 invalid_request");
      }
      const { token } = (await askToken(alice, room.toUpperCase())).body;
      expect((await claimsOf(token)).video?.room).toBe(room);
    });

    test("the instance says that there is voice", async () => {
      const { body } = await send(house(), undefined, "GET", "/instance");
      expect(String(body.features?.voice)).toBe("true");
    });
  },
  media.settings,
);

onEachEngine("voice that is not set up", (house) => {
  test("is told only to who may see and join the channel, and nobody can sign for it", async () => {
    const { alice, bob, mallory, serverId, everyone, general, room } = await parlour(house(), media);
    const list = `/voice/rooms/${room}/participants`;
    expect(verdict(await askToken(bob, room))).toBe("503 not_configured");
    expect(verdict(await bob.get(list))).toBe("503 not_configured");
    expect(verdict(await askToken(mallory, room))).toBe("404 not_found");
    expect(verdict(await mallory.get(list))).toBe("404 not_found");
    expect(verdict(await askToken(bob, general))).toBe("404 not_found");
    await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: VIEW_CHANNEL });
    expect(verdict(await askToken(bob, room))).toBe("403 forbidden");

    const told = await media.tell("room_finished", room, {});
    expect(told?.status).toBe(401);
    // A row may be left from when the service was set up.
    await house().running.house.database.transaction((db) =>
      db
        .insertInto("voice_participants")
        .values({
          ...{ channel_id: room, user_id: bob.id, server_id: serverId, sid: "PA_left" },
          ...{ muted: 0, deafened: 0, joined_at: 1, publishes: null, session_id: null },
        })
        .execute(),
    );
    const servers = (await alice.listen()).ready.servers as unknown as { voice: unknown }[];
    expect(servers.map(({ voice }) => voice)).toEqual([[]]);
    const { body } = await send(house(), undefined, "GET", "/instance");
    expect(String(body.features?.voice)).toBe("false");
  });
});
