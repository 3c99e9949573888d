// Signing in to a browser that others have used: none of their data is left, and redirects stay on this Hearth.
import { afterAll, beforeEach, expect, spyOn, test } from "bun:test";
import { signOut } from "../../../features/sessions/view/sign-out.ts";
import { channel, idOf, ownChannels, scene } from "../../../tests/client/scene.ts";
import { addressOf, keepPlace, recentChannels, serverToOpen } from "../../shell/places.ts";
import { inviteCodeIn } from "../navigation/invite-code.ts";
import { notePlace, placeBefore } from "../navigation/place.ts";
import { lastOwner, onDrop, takeOver, wasHere } from "./belongings.ts";
import { dropBelongings } from "./dropping.ts";
import { askToSignIn, comeIn, enter, noteSignedOut, onOtherTab, remember, wanted } from "./entering.ts";

/** A fake of the browser's `Storage`. */
class Kept {
  readonly #items = new Map<string, string>();

  get length(): number {
    return this.#items.size;
  }
  key = (at: number) => [...this.#items.keys()][at] ?? null;
  getItem = (name: string) => this.#items.get(name) ?? null;
  setItem = (name: string, text: string) => void this.#items.set(name, text);
  removeItem = (name: string) => void this.#items.delete(name);
  get names(): string[] {
    return [...this.#items.keys()].sort();
  }
}

const world = globalThis as unknown as Record<string, unknown>;
const names = ["localStorage", "sessionStorage", "location", "addEventListener", "removeEventListener"];
const before = Object.fromEntries(names.map((name) => [name, world[name]]));
afterAll(() => void Object.assign(world, before));

let [local, session] = [new Kept(), new Kept()];
let gone: string[] = [];
let told: ((event: { key: string }) => void) | undefined;
const place = {
  origin: "https://chat.example",
  pathname: "/",
  search: "",
  assign: (to: string) => gone.push(to),
};

beforeEach(() => {
  [local, session] = [new Kept(), new Kept()];
  gone = [];
  Object.assign(place, { pathname: "/", search: "" });
  Object.assign(world, {
    ...{ localStorage: local, sessionStorage: session, location: place },
    addEventListener: (_: string, listen: typeof told) => {
      told = listen;
    },
    removeEventListener: () => {
      told = undefined;
    },
  });
});

test("after signing in one comes to what one asked for, once, and never to another host", () => {
  Object.assign(place, { pathname: "/servers/1/channels/2", search: "?show=members" });
  const pages: string[] = [];
  askToSignIn((to) => pages.push(to));
  expect([pages, wanted()]).toEqual([["/login"], "/servers/1/channels/2?show=members"]);
  enter("alice");
  comeIn();
  Object.assign(place, { pathname: "//other.example/login", search: "" });
  askToSignIn(() => {});
  comeIn();
  expect(gone).toEqual([
    "https://chat.example/servers/1/channels/2?show=members",
    "https://chat.example/",
    "https://chat.example//other.example/login",
  ]);
  expect(gone.map((to) => new URL(to).origin)).toEqual(Array(3).fill(place.origin));
});

test("from settings one goes back to where one was before, which is no page of settings and no other host", () => {
  expect(placeBefore()).toBe("/");
  notePlace("/servers/1/channels/2");
  for (const from of ["/settings/profile", "/servers/1/settings/roles", "/admin/people", "//other.example/"])
    notePlace(from);
  expect(placeBefore()).toBe("/servers/1/channels/2");
});

test("who comes where somebody else was finds nothing of theirs, but how the page looks; one who comes back all", async () => {
  const ended: string[] = [];
  const stop = onDrop(() => ended.push("dropped"));
  await takeOver("alice");
  expect([lastOwner(), wasHere(), ended]).toEqual(["alice", true, []]);
  for (const name of ["last-server", "draft-on-way/alice/1", "unsent-on-way/2", "look", "signed-in"])
    local.setItem(`hearth.${name}`, "1");
  local.setItem("of another program", "1");
  session.setItem("hearth.correction/1/2", "half a secret");
  await takeOver("alice");
  expect([ended, local.length, session.length]).toEqual([[], 7, 1]);
  await takeOver("bob");
  expect(ended).toEqual(["dropped"]);
  expect(local.names).toEqual(["hearth.look", "hearth.owner", "hearth.signed-in", "of another program"]);
  expect([lastOwner(), session.names]).toEqual(["bob", []]);
  stop();
  await dropBelongings();
  expect(ended).toEqual(["dropped"]);
});

test("who signs out leaves nothing here, once the server has ended the session; where it cannot be asked all stays", async () => {
  const answers = [
    [503, "unavailable"],
    [401, "unauthenticated"],
    [204, ""],
  ] as const;
  const fetching = spyOn(globalThis, "fetch");
  for (const [status, code] of answers) {
    local.setItem("hearth.last-server", "1");
    const body = status === 204 ? null : JSON.stringify({ error: "No.", code });
    fetching.mockImplementation((async () => new Response(body, { status })) as never);
    const failure = await signOut("/servers/1").catch((error: { status?: number }) => error);
    const isOut = status !== 503;
    expect([status, failure?.status]).toEqual([status, isOut ? undefined : 503]);
    expect([status, local.names.includes("hearth.last-server")]).toEqual([status, !isOut]);
    expect([status, wanted()]).toEqual([status, isOut ? "/servers/1" : undefined]);
  }
  fetching.mockRestore();
  expect(gone).toEqual(["/login", "/login"]);
  expect(local.names).toContain("hearth.signed-out");
});

test("a server opens where one was last; where that is gone, or is a voice channel, at its first text channel", () => {
  const { servers } = scene();
  const [home, club] = servers;
  if (!home || !club) throw new Error("the scene has two servers");
  const addressIn = (server: typeof home, name: string) => `/servers/${server.id}/channels/${idOf(name)}`;
  expect([serverToOpen(servers)?.id, serverToOpen([])]).toEqual([home.id, undefined]);
  const den = channel("den", "club", { position: 7 });
  const wide = { ...club, channels: new Map([...club.channels, ...ownChannels([den])]) };
  keepPlace(club.id, den.id);
  expect([serverToOpen(servers)?.id, addressOf(wide), addressOf(club)]).toEqual([
    ...[club.id, addressIn(club, "den"), addressIn(club, "lounge")],
  ]);
  keepPlace(home.id, idOf("parlour"));
  expect(addressOf(home)).toBe(addressIn(home, "general"));
  expect(addressOf({ ...home, channels: new Map() })).toBe(`/servers/${home.id}/channels/none`);
  for (let i = 0; i < 9; i++) keepPlace(home.id, `room ${i}`);
  keepPlace(home.id, "room 3");
  expect(recentChannels()).toEqual([3, 8, 7, 6, 5, 4, 2, 1, 0].map((i) => `room ${i}`));
});

test("other tabs hear who signed in, and that somebody signed out on purpose", () => {
  const heard: string[] = [];
  const end = onOtherTab({ signedIn: (userId) => heard.push(userId), signedOut: () => heard.push("out") });
  enter("alice");
  told?.({ key: "hearth.signed-in" });
  noteSignedOut();
  told?.({ key: "hearth.signed-out" });
  told?.({ key: "hearth.look" });
  expect(heard).toEqual(["alice", "out"]);
  end();
  expect(told).toBeUndefined();
});

test("an invite is found in what people paste: its code, or a link that ends in it", () => {
  for (const pasted of [
    " aB3_-x ",
    "https://chat.example/invite/aB3_-x",
    "chat.example/invite/aB3_-x?a#b",
    "/invite/aB3_-x",
  ])
    expect([pasted, inviteCodeIn(pasted)]).toEqual([pasted, "aB3_-x"]);
  for (const pasted of ["", "two words", "https://chat.example/", "a".repeat(65), "/invite/../admin", "a/b"])
    expect([pasted, inviteCodeIn(pasted)]).toEqual([pasted, undefined]);
});

test("an invite that somebody came by is remembered while they make an account", () => {
  remember("/invite/abc");
  expect(wanted()).toBe("/invite/abc");
  comeIn();
  expect([gone, wanted()]).toEqual([["https://chat.example/invite/abc"], undefined]);
});
