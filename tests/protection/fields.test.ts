// The fields of a refusal: each wrong field is listed once, however many checks fail for it.
import { expect, test } from "bun:test";
import { onOneProcess } from "../house/open/engines.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";

onOneProcess("the fields of a refusal", (house) => {
  test("a fault that several checks of its field find is told once, by the first", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const registration = { email: "a@people.example", display_name: "A", password: "a long password" };
    const wrong = [
      await send(house(), undefined, "POST", "/auth/register", { ...registration, username: [] }),
      await alice.post(`/channels/${home.general.id}/messages/bulk-delete`, { message_ids: "" }),
      await alice.patch(`/channels/${home.general.id}`, { position: 1e300 }),
      await alice.post(`/servers/${home.id}/events`, { title: "Tea", starts_at: "x".repeat(50) }),
    ];
    for (const answer of wrong) {
      expectRefusal(answer, "invalid_request");
      expect(answer.body.fields).toHaveLength(1);
    }
    expect(wrong[0]?.body.fields?.[0]).toEqual({
      path: "username",
      message: "expected string, received array",
    } as never);
    expect(String(wrong[3]?.body.fields?.[0]?.message)).toStartWith("must be a time like");
  });

  test("two fields that are wrong are both told, in a list each by its place", async () => {
    const alice = await TestPerson.register(house(), "alice");
    const home = await alice.makeServer();
    const { body } = await alice.post(`/servers/${home.id}/roles`, { name: " ", color: "red" });
    expect((body.fields as unknown as { path: string }[]).map(({ path }) => path)).toEqual(["name", "color"]);
    const roles = { role_ids: [home.everyone.id, "one", "two"] };
    const list = (await alice.put(`/servers/${home.id}/members/${alice.id}/roles`, roles)).body;
    expect((list.fields as unknown as { path: string }[]).map(({ path }) => path)).toEqual([
      "role_ids.1",
      "role_ids.2",
    ]);
  });

  test("are twenty at most, and what else is wrong with them is not told", async () => {
    const alice = await TestPerson.register(house(), "alice");
    const home = await alice.makeServer();
    const role_ids = Array.from({ length: 50 }, (_, i) => `none ${i}`);
    const { body } = await alice.put(`/servers/${home.id}/members/${alice.id}/roles`, { role_ids });
    const paths = (body.fields as unknown as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(Array.from({ length: 20 }, (_, i) => `role_ids.${i}`));
  });
});
