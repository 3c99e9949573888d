// "Mark as read" of a category, of which the server takes some channels and refuses others.
import { afterEach, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import type { Copy } from "../../../client/copy.ts";
import { until } from "../../../tests/house/machine/waiting.ts";
import { useToast } from "../../../web/ui/loading/toast.ts";
import type { House } from "../../../web/ui/session/house.tsx";
import { withWords } from "../../../web/ui/words/words.ts";
import { beginReading, useReading } from "../../messages/view/model/reading.ts";
import type { ReadState } from "../contract.ts";
import { markRead } from "./marking.ts";
import { english } from "./words.en.ts";

const words = { readStates: english, messages: { undo: "Undo" } };

let refused: readonly string[];
/** The answers wait for this. */
let answering: Promise<void>;
let asked: string[];
let fetching: { mockRestore(): void };

beforeAll(() => withWords("first", Promise.resolve()));
beforeEach(() => {
  [refused, asked, answering] = [[], [], Promise.resolve()];
  fetching = spyOn(globalThis, "fetch").mockImplementation((async (path: string) => {
    asked.push(path);
    await answering;
    const isRefused = refused.some((id) => path.includes(`/${id}/`));
    return isRefused
      ? Response.json({ error: "No.", code: "forbidden" }, { status: 403 })
      : new Response(null, { status: 204 });
  }) as never);
});
afterEach(() => fetching.mockRestore());

/** A server with two unread channels, in a category. */
function opened() {
  const ids = ["kitchen", "garden"];
  const channels = new Map(
    ids.map((id) => [id, { id, type: "text", last_message_id: "9", permissions: -1 }]),
  );
  const readStates = ids.map((id) => [id, { channel_id: id, last_read_id: "1", mention_count: 2 }]);
  let copy = {
    servers: [{ id: "home", channels }],
    readStates: new Map(readStates as never),
  } as never as Copy;
  const chat = {
    get state() {
      return { copy };
    },
    change: (after: (copy: Copy) => Copy) => {
      copy = after(copy);
    },
  };
  const read = () => ids.map((id) => copy.readStates.get(id)?.last_read_id);
  const place = { name: "Rooms", serverId: "home", channelIds: ids };
  const tell = (state: ReadState) =>
    chat.change((now) => ({ ...now, readStates: new Map(now.readStates).set(state.channel_id, state) }));
  return { read, tell, mark: () => markRead(place, { chat } as never as House, words as never) };
}

test("a channel that the server refuses is unread again, and the others stay read", async () => {
  const { read, mark } = opened();
  refused = ["garden"];
  await mark();
  expect(asked).toHaveLength(2);
  expect(read()).toEqual(["9", "1"]);
  expect(useToast.getState().toast?.isAlert).toBe(true);
});

test("what the server tells of a channel before it answers stays, also where it refuses", async () => {
  for (const refusedId of ["garden", "kitchen"]) {
    const { read, tell, mark } = opened();
    refused = [refusedId];
    const held = Promise.withResolvers<void>();
    answering = held.promise;
    const marking = mark();
    tell({ channel_id: "kitchen", last_read_id: "12", mention_count: 1 });
    held.resolve();
    await marking;
    expect(read()).toEqual(["12", refusedId === "garden" ? "1" : "9"]);
  }
});

test("a channel of which the server refuses the undo is shown as read again, with no line and no pause", async () => {
  const { read, mark } = opened();
  beginReading("kitchen", { after: "1", upTo: "9" });
  await mark();
  expect(read()).toEqual(["9", "9"]);
  refused = ["kitchen"];
  useToast.getState().toast?.action?.run();
  expect(read()).toEqual(["1", "1"]);
  expect(useReading.getState()).toMatchObject({ fresh: { after: "1", upTo: "9" }, isPaused: true });
  await until(async () => useToast.getState().toast?.isAlert === true, "nothing tells of it");
  expect(read()).toEqual(["9", "1"]);
  expect(useReading.getState()).toMatchObject({ fresh: undefined, isPaused: false });
});
