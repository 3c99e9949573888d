// Moving a channel: shown at once, sent to the server, and reverted to the server's state when that refuses.
import { afterAll, beforeEach, expect, spyOn, test } from "bun:test";
import type { Chat } from "../../../client/chat.ts";
import type { Copy } from "../../../client/copy.ts";
import { channel, idOf, ownChannels, scene } from "../../../tests/client/scene.ts";
import { until } from "../../../tests/house/machine/waiting.ts";
import { inOrder } from "./order.ts";

const world = globalThis as unknown as Record<string, unknown>;
const { document, removeEventListener } = world;
Object.assign(world, { document: { getElementById: () => null }, removeEventListener: () => {} });
const { moveByStep, moveChannel } = await import("./moving.ts");
const { useToast } = await import("../../../web/ui/loading/toast.ts");

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
  Object.assign(world, { document, removeEventListener });
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
const cellar = { server_id: idOf("club"), id: idOf("cellar"), name: "cellar" };

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

test("a move is sent once the one before it has its answer", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const moves: Promise<void>[] = [];
  fetching.mockImplementationOnce((async () => {
    asked.push("the first");
    await promise;
    return Response.json({});
  }) as never);
  for (const category of ["Food", null])
    moves.push(moveChannel(chat, cellar, { category, before: category && idOf("larder") }, "Not moved."));
  await until(() => asked.length > 0, "the server is not told");
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(asked).toEqual(["the first"]);
  resolve();
  await Promise.all(moves);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain('"category":null');
});
