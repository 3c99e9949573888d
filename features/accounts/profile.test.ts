// The caller's own profile: its fields, the changes allowed, and the view that others get.
import { beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { makeHouse, onEachEngine } from "../../tests/house/open/engines.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Me, User } from "./contract.ts";

onEachEngine("profiles", (house) => {
  let first: TestPerson;
  let alice: TestPerson;
  let bob: TestPerson;
  let homeId: string;

  beforeAll(async () => {
    first = await house().person("first");
    [alice, bob] = await Promise.all([house().person("alice"), house().person("bob")]);
    homeId = (await alice.makeServer()).id;
    await alice.bringIn(homeId, bob);
  });

  test("Alice sees her whole profile, with the avatar that her e-mail address leads to", async () => {
    const { status, body } = await alice.get<Me>("/auth/me");

    const hash = createHash("sha256").update(alice.email).digest("hex");
    expect(status).toBe(200);
    expect(body).toEqual({
      id: alice.id,
      username: alice.username,
      display_name: "alice",
      bio: "",
      accent_color: null,
      status_text: "",
      avatar: `https://www.gravatar.com/avatar/${hash}?d=identicon`,
      presence: "offline",
      bot: false,
      badges: [],
      created_at: body.created_at,
      email: alice.email,
      instance_role: "member",
      direct_from: "shared_servers",
      presence_chosen: "online",
    });
    expect(new Date(body.created_at).toISOString()).toBe(body.created_at);
  });

  test("an address has one picture, in whatever case it is written", async () => {
    const username = `caps_${alice.id.slice(-12)}`;
    const account = {
      username,
      email: `${username}@People.Example`,
      display_name: "C",
      password: alice.password,
    };
    const { headers } = await send(house(), undefined, "POST", "/auth/register", account);
    const { body } = await send<Me>(house(), headers.get("x-session-token") ?? "", "GET", "/auth/me");
    const hash = createHash("sha256").update(account.email.toLowerCase()).digest("hex");
    expect([body.email, body.avatar]).toEqual([
      account.email,
      `https://www.gravatar.com/avatar/${hash}?d=identicon`,
    ]);
  });

  test("the first account owns the instance, later ones are members of it", async () => {
    expect((await first.get<Me>("/auth/me")).body.instance_role).toBe("owner");
    expect((await bob.get<Me>("/auth/me")).body.instance_role).toBe("member");
  });

  test("others see the profile without the e-mail address and without the role in the instance", async () => {
    const { body } = await bob.get<User>(`/users/${alice.id}`);
    expect(body.username).toBe(alice.username);
    expect(Object.keys(body).sort()).toEqual(
      [
        "id",
        "username",
        "display_name",
        "bio",
        "accent_color",
        "status_text",
        "avatar",
        "presence",
        "bot",
        "badges",
        "created_at",
      ].sort(),
    );
  });

  test("a changed profile is answered, kept, seen by others and told to those who share a server", async () => {
    const ear = await bob.listen();
    const changes = {
      display_name: "  Alice 👩‍🚀 ",
      bio: "Hello.\nI am Alice.",
      accent_color: "#33AAff",
      status_text: "busy",
    };
    const changed = await alice.patch<Me>("/auth/me", changes);

    const expected = { ...changes, display_name: "Alice 👩‍🚀", accent_color: "#33aaff" };
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ ...expected, email: alice.email });
    expect((await alice.get<Me>("/auth/me")).body).toEqual(changed.body);
    expect((await bob.get<User>(`/users/${alice.id}`)).body).toMatchObject(expected);
    const heard = await ear.next("USER_UPDATE");
    expect(heard.data as unknown).toMatchObject({ id: alice.id, ...expected });
    expect(JSON.stringify(heard)).not.toContain(alice.email);
    ear.close();
  });

  test("an author's new name stands above what they said before", async () => {
    const general = (await alice.get<{ id: string }[]>(`/channels?server_id=${homeId}`)).body[0];
    await bob.say(general?.id ?? "", "Who am I?");
    const page = `/channels/${general?.id}/messages`;
    const nameOnPage = async () =>
      (await alice.get<{ author: { display_name: string } }[]>(page)).body[0]?.author.display_name;
    expect(await nameOnPage()).toBe("bob");
    await bob.patch("/auth/me", { display_name: "Robert" });
    expect(await nameOnPage()).toBe("Robert");
  });

  test("a name that nobody had means somebody from the moment they register, in every process", async () => {
    const general = (await alice.get<{ id: string }[]>(`/channels?server_id=${homeId}`)).body[0]?.id ?? "";
    const username = `late_${alice.id.slice(-12)}`;
    const meant = async () => {
      const said = [];
      for (const _ of house().all)
        said.push(await alice.say(general, `Where is @${username.toUpperCase()}?`));
      return said.map(({ mentions }) => mentions.user_ids);
    };
    expect(new Set((await meant()).flat())).toEqual(new Set());
    const account = {
      username,
      email: `${username}@people.example`,
      display_name: "L",
      password: alice.password,
    };
    const { body, headers } = await send<{ id: string }>(
      house(),
      undefined,
      "POST",
      "/auth/register",
      account,
    );
    const token = headers.get("x-session-token") ?? "";
    const { code } = (await alice.post<{ code: string }>("/invites", { server_id: homeId })).body;
    expect((await send(house(), token, "POST", `/invites/${code}/join`)).status).toBe(200);
    expect(await meant()).toEqual(house().all.map(() => [body.id]));
  });

  test("null takes bio, status and colour away, and an empty change changes nothing", async () => {
    const { body } = await alice.patch<Me>("/auth/me", { bio: null, accent_color: null, status_text: null });
    expect([body.bio, body.accent_color, body.status_text]).toEqual(["", null, ""]);
    expect((await alice.patch<Me>("/auth/me", {})).body).toEqual(body);
  });

  test("what others do not see of it is told to nobody: a profile as it was, an admin whom the operator makes", async () => {
    const { body: before } = await alice.get<Me>("/auth/me");
    const ear = await bob.listen();
    const { display_name, bio } = before;
    expect((await alice.patch<Me>("/auth/me", { display_name, bio })).body).toEqual(before);
    expect((await house().command(["make-admin", alice.id])).ok).toBe(true);
    expect((await alice.get<Me>("/auth/me")).body).toEqual({ ...before, instance_role: "admin" });
    expect((await house().command(["take-admin", alice.id])).ok).toBe(true);
    await ear.settle();
    expect(ear.frames.map(({ type }) => type)).not.toContain("USER_UPDATE");
    ear.close();
  });

  test("its owner is told of a change on every device, and of none where nothing is different", async () => {
    const dora = await house().person("dora");
    const ear = await dora.listen();
    for (const same of [{}, { display_name: "dora", bio: "", status_text: null, accent_color: null }])
      expect((await dora.patch("/auth/me", same)).status).toBe(200);
    await ear.settle();
    expect(ear.heard("ME_UPDATE")).toEqual([]);
    await dora.patch("/auth/me", { bio: "A baker." });
    expect((await ear.next("ME_UPDATE")).data as unknown).toMatchObject({
      ...{ id: dora.id, bio: "A baker.", email: dora.email, instance_role: "member" },
    });
    ear.close();
  });

  test("changes of different fields at the same moment are both kept", async () => {
    for (let round = 0; round < 10; round++) {
      const told = { bio: `bio ${round}`, status_text: `status ${round}` };
      await Promise.all(
        Object.entries(told).map(([field, text]) => alice.patch("/auth/me", { [field]: text })),
      );
      expect((await alice.get<Me>("/auth/me")).body).toMatchObject(told);
    }
  });

  test("what is not for the caller to change is passed over", async () => {
    const before = (await alice.get<Me>("/auth/me")).body;
    const { status } = await alice.patch("/auth/me", {
      id: bob.id,
      email: "evil@people.example",
      username: "evil",
      avatar: "https://evil.example/x.png",
      instance_role: "owner",
      is_bot: 1,
      password_hash: "x",
      presence: "dnd",
      created_at: 0,
    });
    expect(status).toBe(200);
    expect((await alice.get<Me>("/auth/me")).body).toEqual(before);
  });

  const refused: [string, Record<string, unknown>][] = [
    ["an empty display name", { display_name: "   " }],
    ["a display name of 65 characters", { display_name: "x".repeat(65) }],
    ["a display name that turns the text around", { display_name: "ali\u202ece" }],
    ["a display name with a zero-width space", { display_name: "ali\u200bce" }],
    ["a display name with a joiner between letters", { display_name: "ali\u200dce" }],
    ["a display name with a line break", { display_name: "ali\nce" }],
    ["no display name", { display_name: null }],
    ["a bio of 1001 characters", { bio: "x".repeat(1001) }],
    ["a bio with NUL", { bio: "a\0b" }],
    ["a bio with half a surrogate pair", { bio: "a\ud800b" }],
    ["a bio that is a number", { bio: 7 }],
    ["a status of 129 characters", { status_text: "x".repeat(129) }],
    ["a colour by name", { accent_color: "red" }],
    ["a colour of three digits", { accent_color: "#fff" }],
    ["a colour with more behind it", { accent_color: "#ffffff;}" }],
  ];
  test("what a profile cannot hold is refused, with the name of the field, and changes nothing", async () => {
    const before = (await alice.get<Me>("/auth/me")).body;
    for (const [what, change] of refused) {
      const answer = await alice.patch<{ fields?: { path: string }[] }>("/auth/me", {
        ...change,
        status: "x",
      });
      expect(`${what}: ${verdict(answer)}`).toBe(`${what}: 400 invalid_request`);
      if (!/NUL|surrogate/.test(what))
        expect(answer.body.fields?.[0]?.path).toBe(Object.keys(change)[0] ?? "");
    }
    expect((await alice.get<Me>("/auth/me")).body).toEqual(before);
  });

  test("limits count characters, not halves of them: 64 emoji are a name, 1000 a bio", async () => {
    const change = { display_name: "🐸".repeat(64), bio: "🐸".repeat(1000), status_text: "🐸".repeat(128) };
    expect(verdict(await alice.patch("/auth/me", change))).toBe("200");
    expect(verdict(await alice.patch("/auth/me", { display_name: "🐸".repeat(65) }))).toBe(
      "400 invalid_request",
    );
  });
});

onEachEngine(
  "a house without avatars",
  (house) => {
    test("AVATAR_URL=off registers people without a picture", async () => {
      const alice = await house().person("alice");
      expect((await alice.get<Me>("/auth/me")).body.avatar).toBeNull();
    });
  },
  { AVATAR_URL: "off" },
);

for (const address of ["https://pictures.example/of", "https://pictures.example/of//"])
  test(`AVATAR_URL=${address} is where pictures are, with one slash between`, async () => {
    const house = await makeHouse("SQLite", { AVATAR_URL: address });
    await house.open();
    const alice = await house.person("alice");
    expect(String((await alice.get<Me>("/auth/me")).body.avatar)).toMatch(
      /^https:\/\/pictures\.example\/of\/[0-9a-f]{64}\?d=identicon$/,
    );
    await house.end();
  });

onEachEngine("a house whose avatars are turned off later", (house) => {
  test("shows no picture any more that was drawn before: nowhere, to nobody; turned on again it does", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    await alice.say(home.general.id, "Do you see me?");
    const invite = (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body;
    const picture = String((await alice.get<Me>("/auth/me")).body.avatar);
    expect(picture).toMatch(/[0-9a-f]{64}/);
    const paths = [
      "/auth/me",
      `/users/${alice.id}`,
      `/servers/${home.id}/members`,
      `/channels/${home.general.id}/messages`,
      `/invites/${invite.code}`,
    ];
    const whoShows = async () => {
      const shown: string[] = [];
      for (const path of paths) {
        const { status, body } = await alice.get(path);
        expect([path, status]).toEqual([path, 200]);
        if (JSON.stringify(body).includes(picture)) shown.push(path);
      }
      const ear = await bob.listen();
      await alice.say(home.general.id, "And now?");
      const { data } = await ear.next("MESSAGE_CREATE");
      if (JSON.stringify(data).includes(picture)) shown.push("MESSAGE_CREATE");
      if (JSON.stringify((await alice.listen()).ready).includes(picture)) shown.push("READY");
      ear.close();
      return shown;
    };
    expect(await whoShows()).toEqual([...paths, "MESSAGE_CREATE", "READY"]);
    house().settings.AVATAR_URL = "off";
    await house().restart();
    expect(await whoShows()).toEqual([]);
    const late = await house().person("carol");
    delete house().settings.AVATAR_URL;
    await house().restart();
    expect(await whoShows()).toEqual([...paths, "MESSAGE_CREATE", "READY"]);
    const avatarOf = async (person: TestPerson) => (await person.get<Me>("/auth/me")).body.avatar;
    expect(await avatarOf(late)).toStartWith("https://www.gravatar.com/avatar/");
    // Another service has the pictures of all, and the one before is asked for none.
    const before = await avatarOf(alice);
    house().settings.AVATAR_URL = "https://faces.example/of";
    await house().restart();
    expect(await avatarOf(alice)).toBe(before?.replace("www.gravatar.com/avatar", "faces.example/of") ?? "");
    expect(await avatarOf(late)).toStartWith("https://faces.example/of/");
    delete house().settings.AVATAR_URL;
  });
});
