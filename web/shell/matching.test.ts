// A query in the switcher finds names as people would expect, the best match first.
import { expect, test } from "bun:test";
import { channel, idOf, ownChannels, scene, user } from "../../tests/client/scene.ts";
import { goalsFor } from "./go-to.ts";
import { match } from "./matching.ts";

test("a name is found by its beginning, its words, their initials, and what is inside of it", () => {
  expect(match("dr", "drivers")?.ranges).toEqual([[0, 2]]);
  expect(match("desk", "show-your-desktop")?.ranges).toEqual([[10, 14]]);
  expect(match("dr", "doc-review")?.ranges).toEqual([
    [0, 1],
    [4, 5],
  ]);
  expect(match("topic", "offtopic")?.ranges).toEqual([[3, 8]]);
  expect(match("xyz", "drivers")).toBeUndefined();
});

test("the better fit comes first", () => {
  const names = ["Dundrum", "my-drivers", "doc-review", "drivers"];
  const scored = names.map((name) => ({ name, score: match("dr", name)?.score ?? 99 }));
  expect(scored.sort((one, other) => one.score - other.score).map(({ name }) => name)).toEqual([
    "drivers",
    "my-drivers",
    "doc-review",
    "Dundrum",
  ]);
});

test("case and accents do not count", () => {
  expect(match("ELOD", "Élodie")).toBeDefined();
  expect(match("élo", "elodie")?.ranges).toEqual([[0, 3]]);
  expect(match("", "anything")?.ranges).toEqual([]);
});

test("the switcher finds what is unread first, then channels, conversations, people and servers; a sign before the words means one kind", () => {
  const [home, club] = scene().servers;
  if (!home || !club) throw new Error("the scene has two servers");
  const more = Array.from({ length: 12 }, (_, i) => channel(`den ${i}`, "club"));
  const copy = {
    ...scene(),
    servers: [home, { ...club, channels: new Map([...club.channels, ...ownChannels(more)]) }],
  };
  const people = [
    { server: home, user: user("geneva") },
    { server: undefined, user: user("carol") },
  ];
  const nameIn = (goal: ReturnType<typeof goalsFor>[number][1][number]) =>
    goal.kind === "channel"
      ? goal.channel.name
      : goal.kind === "person"
        ? goal.user.username
        : goal.server.name;
  const found = (query: string, recent: string[] = []) =>
    Object.fromEntries(
      goalsFor({ query, copy, people, recent }).map(([group, goals]) => [group, goals.map(nameIn)]),
    );
  const none = { unread: [], channels: [], conversations: [], people: [], servers: [] };
  expect(found("gene")).toEqual({ ...none, unread: ["general"], people: ["geneva"] });
  expect(found("lounge")).toMatchObject({ unread: ["lounge"], channels: [] });
  expect(found("club")).toMatchObject({ servers: ["club"] });
  expect(found("#gene")).toEqual({ ...none, unread: ["general"] });
  expect(found("@gene")).toEqual({ ...none, people: ["geneva"] });
  expect(found("alic")).toEqual({ ...none, conversations: ["alice"] });
  expect(found("@alic")).toEqual({ ...none, conversations: ["alice"] });
  expect(found("#alic")).toEqual(none);
  expect(found("den").channels).toHaveLength(8);
  expect(found("", [idOf("lounge"), idOf("out of sight"), idOf("general")])).toEqual({
    recent: ["lounge", "general"],
  });
  expect(found("#").channels).toHaveLength(8);
});
