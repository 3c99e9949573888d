// The order of the list of members.
import { expect, test } from "bun:test";
import type { OwnServer } from "../../../client/servers.ts";
import type { Role } from "../../roles/contract.ts";
import type { Member } from "../contract.ts";
import { groupsOf } from "./groups.ts";

function member(name: string, ...role_ids: string[]): Member {
  const user = {
    id: name,
    username: name,
    display_name: name,
    bio: "",
    accent_color: null,
    status_text: "",
    avatar: null,
    presence: "offline" as const,
    bot: false,
    badges: [],
    created_at: "2026-01-01T00:00:00.000Z",
  };
  return { user, role_ids, joined_at: user.created_at };
}

function role(id: string, position: number, color: string, is_default = false): Role {
  return { id, server_id: "s", name: id, color, permissions: 0, position, is_default };
}

const roles = [role("operators", 5, "#b0562f"), role("plain", 4, "#99aab5"), role("helpers", 3, "#2f8f83")];
const members = [
  member("zoe", "helpers"),
  member("Adam", "plain"),
  member("bea", "operators", "helpers"),
  member("cleo", "operators"),
  member("dan"),
];

function server(...here: string[]): Pick<OwnServer, "roles" | "presences" | "member_count"> {
  const presences = here.map((user_id) => ({ user_id, status: "online" as const, status_text: "" }));
  return { roles, presences, member_count: 500 };
}

function shown(...here: string[]): unknown {
  return groupsOf(members, server(...here), true).map(({ key, count, people }) => [
    key,
    count,
    people.map((person) => person.member.user.display_name),
  ]);
}

test("those here stand by their highest coloured role, then the others here, then who is offline; by name within", () => {
  expect(shown("zoe", "Adam", "bea", "dan")).toEqual([
    ["operators", 1, ["bea"]],
    ["helpers", 1, ["zoe"]],
    ["here", 2, ["Adam", "dan"]],
    ["offline", 1, ["cleo"]],
  ]);
});

test("of a large server those offline are counted who were not fetched yet, in the order of the pages", () => {
  const groups = groupsOf(members, server("bea"), false);
  expect(groups.at(-1)?.count).toBe(499);
  expect(groups.at(-1)?.people.map((person) => person.member.user.display_name)).toEqual([
    "zoe",
    "Adam",
    "cleo",
    "dan",
  ]);
});

test("each is seen as they are now, in the colour of their role; who is offline with what they said last", () => {
  const [bea, dan] = [member("bea", "operators"), member("dan", "plain")];
  dan.user.status_text = "back on Monday";
  const presences = [{ user_id: "bea", status: "dnd" as const, status_text: "baking" }];
  const groups = groupsOf([bea, dan], { roles, presences, member_count: 2 }, true);
  expect(groups.flatMap(({ people }) => people)).toEqual([
    { member: bea, status: "dnd", statusText: "baking", colour: "#b0562f" },
    { member: dan, status: "offline", statusText: "back on Monday", colour: undefined },
  ]);
  expect(groups.map(({ role }) => role?.id)).toEqual(["operators", undefined]);
});
