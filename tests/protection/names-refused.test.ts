// Names and messages that show nothing, hide something or read like a mention of everybody are refused everywhere.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { plainPattern } from "../../protocol/shapes.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { type Answer, send, type TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";

let house: TestHouse;
let alice: TestPerson;
let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
/** Ids of things that Alice owns, and the address of a webhook. */
let bot: string;
let role: string;
let event: string;
let webhook: string;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  alice = await house.person("alice");
  home = await alice.makeServer();
  const made = async (path: string, body: object) =>
    (await alice.post<{ id: string; token?: string }>(path, body)).body;
  bot = (await made("/bots", { name: "Robot" })).id;
  role = (await made(`/servers/${home.id}/roles`, { name: "old", position: 1 })).id;
  event = (await made(`/servers/${home.id}/events`, { title: "Supper", starts_at: soon() })).id;
  const hook = await made(`/channels/${home.general.id}/webhooks`, { name: "Builds" });
  webhook = `/webhooks/${hook.id}/${hook.token}`;
});
afterAll(() => house.end());

interface Described {
  pattern?: string;
  anyOf?: Described[];
}
interface Description {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Body> } }>>;
}
interface Body {
  schema?: { properties?: Record<string, Described> };
}

/** The beginning of the patterns that the description has for names. */
const nothingHidden = plainPattern.slice(0, 40);

function patternsOf({ pattern, anyOf = [] }: Described): string[] {
  return [...(pattern === undefined ? [] : [pattern]), ...anyOf.flatMap(patternsOf)];
}

function soon(): string {
  return new Date(Date.now() + 3600_000).toISOString();
}

let registered = 0;
function register(display_name: string): Promise<Answer<unknown>> {
  const username = `somebody${registered++}`;
  const account = { username, email: `${username}@people.example`, password: "correct horse battery" };
  return send(house, undefined, "POST", "/auth/register", { ...account, display_name });
}

/** Every operation that takes a name, with the field of the name. Repeated calls differ by the name only. */
const naming: Readonly<Record<string, (name: string) => Promise<Answer<unknown>>>> = {
  "POST /auth/register display_name": (display_name) => register(display_name),
  "POST /auth/webauthn/register/finish name": (name) => new TestBrowser(house).register(alice, {}, { name }),
  "PATCH /auth/me display_name": (display_name) => alice.patch("/auth/me", { display_name }),
  "POST /bots name": (name) => alice.post("/bots", { name }),
  "PATCH /bots/{id} name": (name) => alice.patch(`/bots/${bot}`, { name }),
  "POST /servers name": (name) => alice.post("/servers", { name }),
  "PATCH /servers/{id} name": (name) => alice.patch(`/servers/${home.id}`, { name }),
  "POST /channels name": (name) => alice.post("/channels", { server_id: home.id, name }),
  "POST /channels category": (category) =>
    alice.post("/channels", { server_id: home.id, name: "sorted", category }),
  "PATCH /channels/{id} name": (name) => alice.patch(`/channels/${home.general.id}`, { name }),
  "PATCH /channels/{id} category": (category) => alice.patch(`/channels/${home.general.id}`, { category }),
  "POST /servers/{serverID}/roles name": (name) =>
    alice.post(`/servers/${home.id}/roles`, { name, position: 1 }),
  "PATCH /servers/{serverID}/roles/{roleID} name": (name) =>
    alice.patch(`/servers/${home.id}/roles/${role}`, { name }),
  "POST /servers/{id}/events title": (title) =>
    alice.post(`/servers/${home.id}/events`, { title, starts_at: soon() }),
  "PATCH /events/{id} title": (title) => alice.patch(`/events/${event}`, { title }),
  "POST /channels/{channelID}/webhooks name": (name) =>
    alice.post(`/channels/${home.general.id}/webhooks`, { name }),
  "POST /webhooks/{webhookID}/{token} username": (username) =>
    send(house, undefined, "POST", `${webhook}?wait=true`, { content: "Hello", username }),
  "POST /badges name": (name) => alice.post("/badges", { name, icon: "⭐" }),
  "PUT /admin/settings name": (name) => alice.put("/admin/settings", { name }),
};

test("the table names each operation whose description says that it takes a name", async () => {
  const { paths } = (await (await fetch(`${house.url}/docs/openapi.json`)).json()) as Description;
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) =>
      Object.entries(requestBody?.content["application/json"]?.schema?.properties ?? {})
        .filter(([, field]) => patternsOf(field).some((pattern) => pattern.startsWith(nothingHidden)))
        .map(([field]) => `${method.toUpperCase()} ${path.replace("/api/v1", "")} ${field}`),
    ),
  );
  expect(described.toSorted()).toEqual(Object.keys(naming).toSorted());
});

test("names that hide something are 400 wherever things are named, and spelling with joiners is not", async () => {
  for (const [operation, give] of Object.entries(naming)) {
    const path = operation.split(" ").at(-1);
    for (const name of [
      "\u2800",
      "\u0301",
      "a\u034fb",
      "a\ufe0f",
      "\ufffc",
      "\u{1d159}",
      "ann\u{1d159}",
      "\u{13441}",
    ])
      expect([operation, name, await give(name)]).toMatchObject([
        operation,
        name,
        { status: 400, body: { fields: [{ path }] } },
      ]);
    expect([operation, Math.floor((await give("علی\u200cرضا")).status / 100)]).toEqual([operation, 2]);
  }
});

/** Operations that name the author of a message or a member. */
const personalNames = /display_name|roles|bots|webhooks/;

test("who stands beside what calls everybody is not called so; @everyone is", async () => {
  const personal = Object.entries(naming).filter(([operation]) => personalNames.test(operation));
  expect(personal).toHaveLength(8);
  for (const [operation, give] of personal)
    for (const name of ["everyone", "@Here", "＠ｅｖｅｒｙｏｎｅ"])
      expect([operation, name, (await give(name)).status]).toEqual([operation, name, 400]);
  // The default role keeps its name, whatever is sent.
  for (const name of ["@everyone", "Everyone", "all"]) {
    const kept = await alice.patch<object>(`/servers/${home.id}/roles/${home.everyone.id}`, { name });
    expect([name, kept.status, kept.body]).toEqual([
      name,
      200,
      expect.objectContaining({ name: home.everyone.name }),
    ]);
  }
  const hidden = await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { name: "a\u009b" });
  expect(hidden.status).toBe(400);
});

test("a message that shows nothing is 400; with a file it counts as empty", async () => {
  const path = `/channels/${home.general.id}/messages`;
  for (const content of ["\u200b", "\u3164", "\u2800", "\u0301", "\u{1d159}", "\uffff"])
    expect([content, (await alice.post(path, { content })).status]).toEqual([content, 400]);
  const file = await upload(alice, "a.txt", "words");
  const { status, body } = await alice.post<{ content: string }>(path, {
    content: "\u200b",
    attachments: [file.url],
  });
  expect([status, body.content]).toEqual([201, ""]);
});

test("a name that was there before a rule stays when it is sent back, and any other is held to the rules", async () => {
  const old = "a\u034fb";
  const { database } = house.running.house;
  await database.transaction(async (db) => {
    await db.updateTable("users").set({ display_name: old }).where("id", "in", [alice.id, bot]).execute();
    await db.updateTable("servers").set({ name: old }).where("id", "=", home.id).execute();
    await db
      .updateTable("channels")
      .set({ name: old, category: old })
      .where("id", "=", home.general.id)
      .execute();
    await db.updateTable("roles").set({ name: old }).where("id", "=", role).execute();
    await db.updateTable("scheduled_events").set({ title: old }).where("id", "=", event).execute();
    await db
      .insertInto("instance")
      .values({ key: "name", value: old })
      .onConflict((taken) => taken.column("key").doUpdateSet({ value: old }))
      .execute();
  });
  await house.restart();

  const registration = "open";
  const changes: readonly [path: string, field: string, rest?: object][] = [
    ["/auth/me", "display_name", { bio: "I go on." }],
    [`/servers/${home.id}`, "name", { icon: "https://icons.example/a.png" }],
    [`/channels/${home.general.id}`, "name", { position: 3 }],
    [`/channels/${home.general.id}`, "category"],
    [`/servers/${home.id}/roles/${role}`, "name", { color: "#112233" }],
    [`/bots/${bot}`, "name", { description: "Goes on." }],
    [`/events/${event}`, "title", { description: "At eight." }],
    ["/admin/settings", "name", { registration }],
  ];
  expect(changes).toHaveLength(Object.keys(naming).filter((each) => /^(PATCH|PUT)/.test(each)).length);
  for (const [path, field, rest = {}] of changes) {
    const send = (name: string) =>
      path === "/admin/settings"
        ? alice.put<object>(path, { ...rest, [field]: name })
        : alice.patch<object>(path, { ...rest, [field]: name });
    const kept = await send(old);
    expect([path, kept.status, kept.body]).toEqual([path, 200, expect.objectContaining({ [field]: old })]);
    for (const other of ["b\u034fa", "\u2800"])
      expect([path, await send(other)]).toMatchObject([
        path,
        { status: 400, body: { fields: [{ path: field }] } },
      ]);
    expect([path, (await send("Anew")).status]).toEqual([path, 200]);
    expect([path, (await send(old)).status]).toEqual([path, 400]);
  }
});

test("who was called everyone before that was reserved may be edited, and keeps the name when it is sent back", async () => {
  const old = "everyone";
  const { database } = house.running.house;
  await database.transaction(async (db) => {
    await db.updateTable("users").set({ display_name: old }).where("id", "in", [alice.id, bot]).execute();
    await db.updateTable("roles").set({ name: old }).where("id", "=", role).execute();
  });
  await house.restart();
  for (const [path, field, rest] of [
    ["/auth/me", "display_name", { bio: "Everyone goes on." }],
    [`/bots/${bot}`, "name", { description: "Serves everyone." }],
    [`/servers/${home.id}/roles/${role}`, "name", { color: "#332211" }],
  ] as const) {
    const send = (change: object) => alice.patch<object>(path, change);
    const [change, kept] = [{ ...rest, [field]: old }, expect.objectContaining({ ...rest, [field]: old })];
    expect([path, await send(change)]).toMatchObject([path, { status: 200, body: kept }]);
    expect([path, await send({ ...rest })]).toMatchObject([path, { status: 200, body: kept }]);
    for (const other of ["Everyone", "here"])
      expect([path, other, (await send({ [field]: other })).status]).toEqual([path, other, 400]);
    expect([path, (await send({ [field]: "Anew" })).status]).toEqual([path, 200]);
    expect([path, (await send(change)).status]).toEqual([path, 400]);
  }
});

test("a category from before a rule takes further channels, as long as one is in it", async () => {
  const old = "a\u034fb";
  const { id, general } = await alice.makeServer();
  const other = (await alice.post<{ id: string }>("/channels", { server_id: id, name: "other" })).body;
  await house.running.house.database.transaction((db) =>
    db.updateTable("channels").set({ category: old }).where("id", "=", general.id).execute(),
  );
  const make = (category: string) =>
    alice.post<{ id: string }>("/channels", { server_id: id, name: "new", category });
  const move = (channelId: string, category: string) =>
    alice.patch<object>(`/channels/${channelId}`, { category });
  const added = await make(old);
  expect([added.status, added.body]).toEqual([201, expect.objectContaining({ category: old })]);
  expect(await move(other.id, old)).toMatchObject({ status: 200, body: { category: old } });
  expect([(await make("b\u034fa")).status, (await move(other.id, "b\u034fa")).status]).toEqual([400, 400]);
  for (const channelId of [general.id, other.id, added.body.id]) await move(channelId, "Anew");
  expect([(await make(old)).status, (await move(other.id, old)).status]).toEqual([400, 400]);
});
