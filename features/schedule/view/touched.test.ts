// An edit sends only changed fields.
import { expect, test } from "bun:test";
import { touched } from "./touched.ts";

test("a new title leaves times as they are, which a field of minutes cannot show", () => {
  const before = {
    title: "Tea",
    description: "",
    starts: "2027-10-31T02:30",
    ends: "2027-10-31T03:30",
    channelId: "",
  };
  const body = { title: "Cake", description: "", starts_at: "a", ends_at: "b", channel_id: null };
  expect(touched(body, { ...before, title: "Cake" }, before)).toEqual({ title: "Cake" });
  expect(touched(body, { ...before, ends: "" }, before)).toEqual({ ends_at: "b" });
  expect(touched(body, before, before)).toEqual({});
});
