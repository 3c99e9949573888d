// Concurrent use of an invite: forty people at the same moment, seven places, and exactly seven get in.
import { expect, test } from "bun:test";
import { newId, newToken, tokenHash } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { send } from "../../tests/house/people/people.ts";
import { crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Server } from "../servers/contract.ts";
import type { Invite } from "./contract.ts";

onEachEngine("a rush on an invite", (house) => {
  test("forty parallel joins for max_uses 7 let exactly 7 in, and tell the others that it is used up", async () => {
    const olga = await house().person("olga");
    const home = await olga.makeServer();
    const guests = await signedIn(house(), await crowd(house(), olga, 40));
    const invite = await olga.post<Invite>("/invites", { server_id: home.id, max_uses: 7 });
    const { code } = invite.body;
    const ear = await olga.listen();

    const answers = await Promise.all(
      guests.map((token) => insisted(() => send(house(), token, "POST", `/invites/${code}/join`))),
    );

    const told = Map.groupBy(answers, verdict);
    expect(new Map([...told].map(([what, each]) => [what, each.length]))).toEqual(
      new Map([
        ["200", 7],
        ["410 invite_expired", 33],
      ]),
    );
    const { body: server } = await olga.get<Server>(`/servers/${home.id}`);
    expect(server.member_count).toBe(8);
    expect((await olga.get<unknown[]>(`/servers/${home.id}/members`)).body).toHaveLength(8);
    const { uses } = await house()
      .running.house.database.read.selectFrom("invites")
      .select("uses")
      .where("code", "=", code)
      .executeTakeFirstOrThrow();
    expect(uses).toBe(7);
    await olga.say(home.general.id, "That was that.");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("SERVER_MEMBER_ADD")).toHaveLength(7);
    ear.close();
  });
});

/** Returns session tokens of these people; registering each would take longer than the rush. */
async function signedIn(house: TestHouse, ids: readonly string[]): Promise<string[]> {
  const tokens = ids.map(() => newToken("hs_"));
  const now = Date.now();
  const rows = ids.map((user_id, i) => ({
    id: newId(),
    user_id,
    token_hash: tokenHash(tokens[i] ?? ""),
    user_agent: "",
    created_at: now,
    last_used_at: now,
    opened_by: null,
  }));
  await fill(house, "sessions", rows);
  return tokens;
}
