// Moving a channel: shown at once, sent to the server, and reverted to the server's state when that refuses.
import { afterAll, beforeEach, expect, spyOn, test } from "bun:test";
import type { Chat } from "../../../client/chat.ts";
import type { Copy } from "../../../client/copy.ts";
import { channel, idOf, ownChannels, scene } from "../../../tests/client/scene.ts";
import { until } from "../../../tests/house/machine/waiting.ts";
import { inOrder } from "./order.ts";

const world = globalThis as unknown as Record<string, unknown>;
const { document, addEventListener, removeEventListener } = world;
let leave = () => {};
Object.assign(world, {
  document: { getElementById: () => null },
  addEventListener: (type: string, listener: () => void) => {
    if (type === "pagehide") leave = listener;
  },
  removeEventListener: () => {},
});
const { moveByStep, moveChannel } = await import("./moving.ts");
const { useToast } = await import("../../../web/ui/loading/toast.ts");
const { finishPending } = await import("../../../web/ui/session/leaving.ts");

const channels = [
  channel("kitchen", "club", { position: 10 }),
  channel("larder", "club", { position: 20, category: "Food" }),
  channel("cellar", "club", { position: 30, category: "Food" }),
];
let copy: Copy;
let asked: string[];
let answer: () => Response;
const fetching = spyOn(globalThis, "fetch").mockImplementation((async (
  path: string,
  { method, body }: RequestInit,
) => {
  asked.push(`${method} ${new URL(path, "http://a").pathname.split("/").at(-1)} ${body ?? ""}`);
  return method === "GET" ? Response.json(channels) : answer();
}) as never);
afterAll(() => {
  fetching.mockRestore();
  Object.assign(world, { document, addEventListener, removeEventListener });
});

const chat = {
  get state() {
    return { copy };
  },
  change: (after: (copy: Copy) => Copy) => {
    copy = after(copy);
  },
} as unknown as Chat;

beforeEach(() => {
  const [home, club] = scene().servers;
  if (!home || !club) throw new Error("the scene has two servers");
  copy = { ...scene(), servers: [home, { ...club, channels: ownChannels(channels) }] };
  asked = [];
  answer = () => Response.json({});
  useToast.setState({ toast: undefined });
});

const shown = () =>
  inOrder(copy.servers[1]?.channels ?? new Map()).map(({ name, category }) => `${name} ${category}`);
const hall = [channel("hall", "home", { position: 10 })];
const cellar = { server_id: idOf("club"), id: idOf("cellar"), name: "cellar" };
const kitchen = { ...cellar, id: idOf("kitchen") };

test("a step is seen before the server has answered, which is told the place and the category", async () => {
  const words = { notMoved: "Not moved.", noCategory: "none", moved: () => "" } as never;
  moveByStep(chat, cellar, -1, words);
  expect(shown()).toEqual(["kitchen null", "cellar Food", "larder Food"]);
  await until(() => asked.length > 0, "the server is not told");
  expect(asked).toEqual([`PATCH ${idOf("cellar")} {"position":15,"category":"Food"}`]);
  moveByStep(chat, { ...cellar, id: idOf("kitchen") }, -1, words);
  expect(asked).toHaveLength(1);
  expect(copy.servers[0]).toEqual(scene().servers[0]);
});

test("where the server refuses it stands where that has it, and the reader learns why", async () => {
  answer = () => Response.json({ error: "You may not.", code: "forbidden" }, { status: 403 });
  await moveChannel(chat, cellar, { category: null, before: idOf("kitchen") }, "Not moved.");
  expect(asked.map((each) => each.split(" ")[0])).toEqual(["PATCH", "GET"]);
  expect(shown()).toEqual(["kitchen null", "larder Food", "cellar Food"]);
  expect(useToast.getState().toast).toMatchObject({ text: "You may not.", isAlert: true });
  answer = () => Response.error();
  await moveChannel(chat, cellar, { category: null, before: idOf("kitchen") }, "Not moved.");
  expect(useToast.getState().toast?.text).toBe("Not moved.");
});

/** The next call waits until it is answered. */
function held(): (response: Response) => void {
  const { promise, resolve } = Promise.withResolvers<Response>();
  fetching.mockImplementationOnce((async (_: string, { signal }: RequestInit) => {
    asked.push("the first");
    signal?.addEventListener("abort", () => resolve(Response.error()));
    return await promise;
  }) as never);
  return resolve;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const place = (category: string | null, channel = cellar) =>
  moveChannel(chat, channel, { category, before: category && idOf("larder") }, "Not moved.");

test("a move is sent once the one before it has its answer, which those of other servers do not wait for", async () => {
  const answer = held();
  const moves = [place("Food"), place(null)];
  await until(() => asked.length > 0, "the server is not told");
  await settled();
  expect(asked).toEqual(["the first"]);
  const [home] = copy.servers;
  if (!home) throw new Error("the scene has two servers");
  copy = { ...copy, servers: [{ ...home, channels: ownChannels(hall) }, ...copy.servers.slice(1)] };
  await moveChannel(chat, { server_id: home.id, id: idOf("hall") }, { category: "Food", before: null }, "");
  expect(asked).toHaveLength(2);
  answer(Response.json({}));
  await Promise.all(moves);
  expect(asked).toHaveLength(3);
  expect(asked[2]).toContain('"category":null');
});

for (const [how, go] of [
  ["goes", () => leave()],
  ["signs out", () => void finishPending()],
] as const)
  test(`moves that wait are sent before the page ${how}, of each channel the last place`, async () => {
    const answer = held();
    const moves = [place(null), place("Food"), place(null), place("Food", kitchen)];
    await until(() => asked.length > 0, "the server is not told");
    go();
    await settled();
    expect(asked.map((each) => each.split(" ")[1])).toEqual(["first", idOf("cellar"), idOf("kitchen")]);
    expect(asked[1]).toContain('"category":null');
    answer(Response.json({}));
    await Promise.all(moves);
    expect(asked).toHaveLength(3);
  });
