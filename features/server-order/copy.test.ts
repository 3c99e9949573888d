// The order in a client's copy, where what brings servers and what orders them comes by different streams.
import { expect, test } from "bun:test";
import { type Copy, copyAfter } from "../../client/copy.ts";
import { idOf, message, nameOf, scene, server } from "../../tests/client/scene.ts";

type Frame = Parameters<typeof copyAfter>[1];

function after(copy: Copy, ...frames: Frame[]): Copy {
  return frames.reduce(copyAfter, copy);
}

function shown({ servers }: Copy): string[] {
  return servers.map(({ id }) => nameOf(id));
}

const order = (...names: string[]) =>
  ({ type: "SERVER_ORDER_UPDATE", data: { server_ids: names.map(idOf) }, stream: "@me" }) as unknown as Frame;
const gained = (name: string) =>
  ({ type: "SERVER_CREATE", data: server(name, "alice"), server_id: idOf(name) }) as unknown as Frame;
const left = (name: string) =>
  ({
    type: "SERVER_MEMBER_REMOVE",
    data: { user_id: idOf("bob"), reason: "left" },
    server_id: idOf(name),
  }) as unknown as Frame;

test("a server that is named before it comes takes its place when it comes", () => {
  expect(shown(after(scene(), order("club", "new", "home"), gained("new")))).toEqual(["club", "new", "home"]);
});

test("a server that came before an order which does not know it yet stays, at the end", () => {
  expect(shown(after(scene(), gained("new"), order("club", "home")))).toEqual(["club", "home", "new"]);
});

test("a server that was left and is joined again comes last", () => {
  expect(shown(after(scene(), order("club", "home"), left("club"), gained("club")))).toEqual([
    "home",
    "club",
  ]);
});

test("what happens in a server leaves the order as it is", () => {
  const ordered = after(scene(), order("club", "home"));
  const said = {
    type: "MESSAGE_CREATE",
    data: message("hello there", "alice", "general"),
    server_id: idOf("home"),
  } as unknown as Frame;
  const heard = after(ordered, said);
  expect(shown(heard)).toEqual(["club", "home"]);
  expect(heard.serverOrder).toBe(ordered.serverOrder);
});
