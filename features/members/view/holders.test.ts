// The list of those who hold a role, as events change it.
import { expect, test } from "bun:test";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { idOf, member, nameOf } from "../../../tests/client/scene.ts";
import { holdersAfter } from "./holders.ts";

const roleId = idOf("moderators");
const [alice, bob, carol] = [member("alice"), member("bob", ["moderators"]), member("carol")];

function updated(name: string, ...roles: string[]): ServerFrame {
  const data = { user_id: idOf(name), role_ids: roles.map(idOf) };
  return { type: "SERVER_MEMBER_UPDATE", data, server_id: idOf("home"), seq: 2, ts: "" };
}

function names(list: readonly { user: { id: string } }[]): string[] {
  return list.map(({ user }) => nameOf(user.id));
}

test("who gains the role stands in the list, by id, with all of their roles; who loses it does not", () => {
  const list = { items: [bob], hasMore: false };
  const both = holdersAfter(list, roleId, updated("alice", "other", "moderators"), alice);
  expect(names(both)).toEqual(["alice", "bob"]);
  expect(both[0]?.role_ids).toEqual([idOf("other"), roleId]);
  expect(names(holdersAfter({ ...list, items: both }, roleId, updated("bob", "other"), undefined))).toEqual([
    "alice",
  ]);
});

test("of a list with further pages, who comes after the loaded ones comes with their page", () => {
  const list = { items: [bob], hasMore: true };
  expect(names(holdersAfter(list, roleId, updated("carol", "moderators"), carol))).toEqual(["bob"]);
  expect(names(holdersAfter(list, roleId, updated("alice", "moderators"), alice))).toEqual(["alice", "bob"]);
});

test("whoever leaves the server leaves the list; a role that is deleted has nobody", () => {
  const list = { items: [bob], hasMore: false };
  const left = { type: "SERVER_MEMBER_REMOVE", data: { user_id: bob.user.id, reason: "left" } };
  const gone = { type: "ROLE_DELETE", data: { id: roleId } };
  for (const { type, data } of [left, gone]) {
    const frame: ServerFrame = { type, data, server_id: idOf("home"), seq: 2, ts: "" };
    expect(holdersAfter(list, roleId, frame, undefined)).toEqual([]);
  }
});
