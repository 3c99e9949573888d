// Blocks: who can be blocked, the caller's own view, and that the blocked side notices nothing.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import type { User } from "../accounts/contract.ts";

async function blockedBy(person: TestPerson): Promise<string[]> {
  return (await person.get<User[]>("/blocks")).body.map((user) => user.id);
}

onEachEngine("blocks", (house) => {
  test("Alice blocks Bob, then Carol, and sees them, the latest first; again changes nothing", async () => {
    const { alice, bob, carol } = await neighbours(house());
    expect((await alice.get("/blocks")).body as unknown).toEqual([]);
    for (const person of [bob, carol, bob]) {
      expect((await alice.put(`/blocks/${person.id}`)).status).toBe(204);
      await Bun.sleep(2);
    }
    expect(await blockedBy(alice)).toEqual([carol.id, bob.id]);
    const [shown] = (await alice.get<User[]>("/blocks")).body;
    expect(shown).toEqual((await alice.get<User>(`/users/${carol.id}`)).body);
  });

  test("a block taken back is gone, and nobody else's; where there is none, nothing changes", async () => {
    const { alice, bob, carol } = await neighbours(house());
    for (const person of [alice, carol]) await person.put(`/blocks/${bob.id}`);
    expect((await alice.delete(`/blocks/${carol.id}`)).status).toBe(204);
    expect(await blockedBy(alice)).toEqual([bob.id]);
    expect((await alice.delete(`/blocks/${bob.id}`)).status).toBe(204);
    expect((await alice.delete(`/blocks/${bob.id}`)).status).toBe(204);
    expect(await blockedBy(alice)).toEqual([]);
    expect(await blockedBy(carol)).toEqual([bob.id]);
  });

  test("Bob is not told: he hears nothing, lists nothing, sees Alice and what she says as before", async () => {
    const { alice, bob, home } = await neighbours(house());
    const ear = await bob.listen();
    await ear.settle();
    const before = ear.types.length;
    await alice.put(`/blocks/${bob.id}`);
    await ear.settle();
    expect(ear.types.slice(before)).toEqual(["PONG"]);
    expect(await blockedBy(bob)).toEqual([]);
    expect((await bob.get(`/users/${alice.id}`)).status).toBe(200);
    expect((await bob.put(`/blocks/${alice.id}`)).status).toBe(204);
    await bob.say(home.general.id, "Hello?");
    ear.close();
  });

  test("oneself is 400; a stranger, nobody and no id are one and the same 404; none of them is kept", async () => {
    const { alice, mallory } = await neighbours(house());
    const nobody = "01890000-0000-7000-8000-000000000000";
    for (const method of ["put", "delete"] as const) {
      const self = await alice[method](`/blocks/${alice.id}`);
      expect([self.status, String(self.body.code)]).toEqual([400, "invalid_request"]);
      const answers = await Promise.all(
        [mallory.id, nobody, "no-id"].map((id) => alice[method](`/blocks/${id}`)),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect({ ...body, request_id: "" } as unknown).toEqual({
          ...answers[0]?.body,
          request_id: "",
        } as unknown);
      }
    }
    expect(await blockedBy(alice)).toEqual([]);
  });

  test("who was blocked and left stays blocked, and can be let off, once", async () => {
    const { alice, bob, home } = await neighbours(house());
    await alice.put(`/blocks/${bob.id}`);
    await bob.delete(`/servers/${home.id}/members/@me`);
    expect((await alice.put(`/blocks/${bob.id}`)).status).toBe(204);
    expect(await blockedBy(alice)).toEqual([bob.id]);
    expect((await alice.delete(`/blocks/${bob.id}`)).status).toBe(204);
    expect((await alice.delete(`/blocks/${bob.id}`)).status).toBe(404);
  });

  test("of who was blocked and left, Alice sees who it is, and not what they do now", async () => {
    const { alice, bob, home } = await neighbours(house());
    await bob.patch("/auth/me", { bio: "A sailor", status_text: "At sea", accent_color: "#336699" });
    const ear = await bob.listen();
    await alice.put(`/blocks/${bob.id}`);
    const blocked = async () => (await alice.get<User[]>("/blocks")).body;
    let near: User | undefined;
    await until(async () => {
      [near] = await blocked();
      return near?.presence === "online";
    }, "Bob is not seen");
    expect([near?.presence, near?.status_text]).toEqual(["online", "At sea"]);
    await bob.delete(`/servers/${home.id}/members/@me`);
    const [far] = (await alice.get<User[]>("/blocks")).body;
    expect(far as unknown).toEqual({
      ...near,
      bio: "",
      accent_color: null,
      status_text: "",
      presence: "offline",
    } as unknown);
    ear.close();
  });

  test("twenty calls at once make one block", async () => {
    const { alice, bob } = await neighbours(house());
    const block = () => insisted(() => alice.put(`/blocks/${bob.id}`));
    const answers = await Promise.all(Array.from({ length: 20 }, block));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(204));
    expect(await blockedBy(alice)).toEqual([bob.id]);
  });

  test("a thousand blocks are enough: one more is 409, one less makes room", async () => {
    const { alice, bob, carol } = await neighbours(house());
    const many = await crowd(house(), alice, limits.blocks_max - 1);
    await fill(
      house(),
      "blocks",
      many.map((blocked_id, created_at) => ({ user_id: alice.id, blocked_id, created_at })),
    );
    expect((await alice.put(`/blocks/${bob.id}`)).status).toBe(204);
    const refused = await alice.put(`/blocks/${carol.id}`);
    expect([refused.status, String(refused.body.code)]).toEqual([409, "conflict"]);
    expect((await alice.put(`/blocks/${bob.id}`)).status).toBe(204);
    await alice.delete(`/blocks/${bob.id}`);
    // Two people are blocked at once, with room for one.
    const both = [bob, carol].map(({ id }) => insisted(() => alice.put(`/blocks/${id}`)));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await blockedBy(alice)).length).toBe(limits.blocks_max);
  });
});
