// A form sends the touched fields of each kind of object, and nothing else.
import { expect, test } from "bun:test";
import { differing } from "../settings/draft.ts";
import { touched } from "./touched.ts";

/** By kind: stored values, some of which no field would accept today, and another value for each field. */
const kinds: Readonly<Record<string, readonly [stored: object, others: object]>> = {
  server: [
    { name: " Home ", icon: "" },
    { name: "House", icon: "https://a.example/b.png" },
  ],
  role: [
    { name: "mods ", color: "#00ff00", permissions: 5 },
    { name: "crew", color: "#ff0000", permissions: 7 },
  ],
  profile: [
    { display_name: "Ann ", bio: "", accent_color: null, status_text: "" },
    { display_name: "Anne", bio: "Here.", accent_color: "#ff0000", status_text: "away" },
  ],
  instance: [
    { name: "Hearth ", registration: "open" },
    { name: "Fire", registration: "closed" },
  ],
  channel: [
    { name: "general ", category: "" },
    { name: "lobby", category: "Talk" },
  ],
  bot: [
    { name: "Quiz ", description: "" },
    { name: "Trivia", description: "Asks." },
  ],
};

for (const [kind, [stored, others]] of Object.entries(kinds)) {
  test(`${kind}: each field by itself, and none where none was touched`, () => {
    for (const [name, value] of Object.entries(others)) {
      const typed = { ...stored, [name]: value };
      expect(differing(stored, typed)).toEqual({ [name]: value });
      expect(touched(typed, typed, stored)).toEqual({ [name]: value });
    }
    expect([differing(stored, stored), touched(stored, stored, stored)]).toEqual([{}, {}]);
  });
}

test("what is sent of a field that was touched is what the body makes of it", () => {
  const typed = { name: " lobby ", category: " " };
  const body = { name: "lobby", category: null };
  expect(touched(body, typed, { name: "general", category: " " })).toEqual({ name: "lobby" });
  expect(touched(body, typed, { name: " lobby ", category: "Talk" })).toEqual({ category: null });
});
