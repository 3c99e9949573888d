// Parsed texts are cached for the same names, in limited number.
import { expect, test } from "bun:test";
import { directionOf } from "./direction.ts";
import { read } from "./read.ts";

const channels = new Map([["general", "1"]]);
const names = (people: [string, string][] = []) => ({
  people: new Map(people),
  roles: new Map<string, string>(),
  channels,
  everyone: false,
});

test("a text is read once as long as its names mean the same", () => {
  const first = read("Hello @ann", names());
  expect(read("Hello @ann", names())).toBe(first);
  const called = read("Hello @ann", names([["ann", "2"]]));
  expect(called).not.toEqual(first);
  expect(read("Hello @ann", names([["ann", "2"]]))).toBe(called);
  expect(read("Hello @ann", { ...names([["ann", "2"]]), channels: new Map() })).not.toBe(called);
});

test("what was not asked for among the last texts is forgotten, and what was asked for is kept", () => {
  const [kept, forgotten] = [read("kept", names()), read("forgotten", names())];
  for (let i = 0; i < 200; i++) {
    read(`text ${i}`, names());
    read("kept", names());
  }
  expect(read("kept", names())).toBe(kept);
  expect(read("forgotten", names())).not.toBe(forgotten);
});

test("a quote or a list stands where its first letter begins; code, calls and signs do not count", () => {
  const direction = (text: string) => directionOf(read(text, names([["ann", "2"]])));
  for (const text of ["שלום world", "1. 2) שלום", "> - مرحبا", "`code` **שלום**", "@ann שלום"])
    expect([text, direction(text)]).toEqual([text, "rtl"]);
  for (const text of ["hello שלום", "- one", "```\nשלום\n```", "42", ""])
    expect([text, direction(text)]).toEqual([text, "ltr"]);
});
