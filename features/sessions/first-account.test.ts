// An empty instance with closed registration still admits its owner.
import { describe, expect, test } from "bun:test";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { send } from "../../tests/house/people/people.ts";

describe.each(["closed", "invite"])("where registration is %s", (REGISTRATION) => {
  test("the first account is let in and owns the instance, the next one is refused", async () => {
    const house = await makeHouse("SQLite", { REGISTRATION });
    await house.open();
    const alice = await house.person("alice");
    expect((await alice.get<{ instance_role: string }>("/auth/me")).body.instance_role).toBe("owner");
    const body = {
      username: "bob",
      email: "bob@people.example",
      display_name: "Bob",
      password: "correct horse",
    };
    const refused = await send<{ code: string }>(house, undefined, "POST", "/auth/register", body);
    expect([refused.status, refused.body.code]).toEqual([403, "registration_closed"]);
    await house.end();
  });
});
