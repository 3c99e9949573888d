// The list of those who hold a role, as events change it.
import { expect, test } from "bun:test";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { idOf, member } from "../../../tests/client/scene.ts";
import { holdersAfter, withHolder } from "./holders.ts";

const roleId = idOf("moderators");
/** Three members in order of id; the second holds the role. */
const [first, second, third] = ["alice", "bob", "carol"]
  .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  .map((name, i) => member(name, i === 1 ? ["moderators"] : [])) as [Member, Member, Member];
type Member = ReturnType<typeof member>;

function updated({ user }: Member, ...roles: string[]): ServerFrame {
  const data = { user_id: user.id, role_ids: roles.map(idOf) };
  return { type: "SERVER_MEMBER_UPDATE", data, server_id: idOf("home"), seq: 2, ts: "" };
}

function ids(list: readonly Member[]): string[] {
  return list.map(({ user }) => user.id);
}

test("who gains the role stands in the list, by id, with all of their roles; who loses it does not", () => {
  const list = { items: [second], hasMore: false };
  const gained = { ...first, role_ids: [idOf("other"), roleId] };
  const both = withHolder(list, roleId, gained);
  expect(ids(both)).toEqual(ids([first, second]));
  expect(both[0]?.role_ids).toEqual([idOf("other"), roleId]);
  expect(withHolder({ ...list, items: both }, roleId, gained)).toEqual(both);
  expect(ids(withHolder(list, roleId, first))).toEqual(ids([second]));
  const after = holdersAfter({ ...list, items: both }, roleId, updated(second, "other"));
  expect(ids(after)).toEqual(ids([first]));
});

test("of a list with further pages, who comes after the loaded ones comes with their page", () => {
  const list = { items: [second], hasMore: true };
  const holding = (member: Member) => ({ ...member, role_ids: [roleId] });
  expect(ids(withHolder(list, roleId, holding(third)))).toEqual(ids([second]));
  expect(ids(withHolder(list, roleId, holding(first)))).toEqual(ids([first, second]));
  expect(ids(withHolder(list, roleId, holding(second)))).toEqual(ids([second]));
});

test("whoever leaves the server leaves the list", () => {
  const data = { user_id: second.user.id, reason: "left" };
  const frame: ServerFrame = {
    type: "SERVER_MEMBER_REMOVE",
    data,
    server_id: idOf("home"),
    seq: 2,
    ts: "",
  };
  expect(holdersAfter({ items: [second], hasMore: false }, roleId, frame)).toEqual([]);
});
