// Moving a server: seen at once, sent after a pause, one order after the other, and back to the server's own order.
import { afterAll, beforeEach, expect, jest, spyOn, test } from "bun:test";
import type { Chat } from "../../../client/chat.ts";
import type { Copy } from "../../../client/copy.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { idOf, nameOf, scene } from "../../../tests/client/scene.ts";

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
const { moveServer } = await import("./moving.ts");
const { useToast } = await import("../../../web/ui/loading/toast.ts");

const words = { notMoved: "Not moved.", moved: () => "" } as never;
let copy: Copy;
let listeners: Set<(frame: ServerFrame) => void>;
/** The calls that wait for their answers, in order. */
let asked: { order: string; answer(response: Response): Promise<void> }[];
const fetching = spyOn(globalThis, "fetch").mockImplementation(((_: string, { body }: RequestInit) => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answer = async (response: Response) => {
    resolve(response);
    await settled();
  };
  asked.push({ order: namesOf(JSON.parse(String(body)).server_ids), answer });
  return promise;
}) as never);

beforeEach(() => {
  jest.useFakeTimers();
  const [home, club] = scene().servers;
  if (!home || !club) throw new Error("the scene has two servers");
  copy = { ...scene(), servers: [home, club, { ...club, id: idOf("choir"), name: "choir" }] };
  [asked, listeners] = [[], new Set()];
  useToast.setState({ toast: undefined });
});
afterAll(() => {
  jest.useRealTimers();
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
  listen: (listener: (frame: ServerFrame) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  catchUp: () => {},
} as unknown as Chat;

const namesOf = (ids: readonly string[]) => ids.map(nameOf).join(" ");
const shown = () => namesOf(copy.servers.map(({ id }) => id));
const done = () => new Response(null, { status: 204 });

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

async function move(name: string, place: number): Promise<void> {
  moveServer(chat, idOf(name), place, words);
  jest.advanceTimersByTime(300);
  await settled();
}

/** The order that the server tells, as the chat applies it before anybody hears of it. */
function told(...names: string[]): void {
  const server_ids = names.map(idOf);
  copy = { ...copy, servers: server_ids.flatMap((id) => copy.servers.filter((each) => each.id === id)) };
  const frame = { type: "SERVER_ORDER_UPDATE", data: { server_ids }, stream: "@me", seq: 2, ts: "" } as const;
  for (const listener of listeners) listener(frame);
}

test("an order is sent once the one before has its answer, and no order in between is", async () => {
  await move("home", 1);
  expect(asked.map(({ order }) => order)).toEqual(["club home choir"]);
  await move("home", 2);
  await move("club", 1);
  expect(shown()).toBe("choir club home");
  expect(asked).toHaveLength(1);
  await asked[0]?.answer(done());
  expect(asked.map(({ order }) => order)).toEqual(["club home choir", "choir club home"]);
  told("club", "home", "choir");
  expect(shown()).toBe("choir club home");
  await asked[1]?.answer(done());
  expect([shown(), asked.length, listeners.size]).toEqual(["choir club home", 2, 0]);
});

test("a refused order goes back to the order that came from another device meanwhile", async () => {
  await move("home", 2);
  told("club", "home", "choir");
  expect(shown()).toBe("club choir home");
  await asked[0]?.answer(Response.json({ error: "You may not.", code: "forbidden" }, { status: 403 }));
  expect(shown()).toBe("club home choir");
  expect(useToast.getState().toast).toMatchObject({ text: "You may not.", isAlert: true });
});

test("a later order of another device that comes before the answer stays", async () => {
  await move("home", 2);
  told("club", "choir", "home");
  told("choir", "home", "club");
  await asked[0]?.answer(done());
  expect(shown()).toBe("choir home club");
});

test("the second answer to an order that was sent again as the page was left ends no later move", async () => {
  await move("home", 2);
  told("club", "choir", "home");
  leave();
  await asked[1]?.answer(done());
  moveServer(chat, idOf("home"), 0, words);
  expect(shown()).toBe("home club choir");
  await asked[0]?.answer(done());
  expect(shown()).toBe("home club choir");
  jest.advanceTimersByTime(300);
  await settled();
  expect(asked.map(({ order }) => order).at(-1)).toBe("home club choir");
});
