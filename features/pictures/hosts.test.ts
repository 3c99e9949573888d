// Which picture hosts are left alone, and for how long.
import { expect, test } from "bun:test";
import { Hosts } from "./hosts.ts";

const minuteMs = 60_000;

test("an unknown host is left alone for a minute by the person who found it silent; no other one is, and by nobody else", () => {
  const hosts = new Hosts();
  hosts.wasSilent("silent.example", "alice", 0);
  const until = [0, minuteMs - 1, minuteMs].map((at) => hosts.isSilent("silent.example", "alice", at));
  expect(until).toEqual([true, true, false]);
  expect(hosts.isSilent("silent.example", "bob", 0)).toBe(false);
  expect(hosts.isSilent("other.example", "alice", 0)).toBe(false);
});

test("once three people found it silent, and nobody got a picture in between, everybody leaves it alone for a minute", () => {
  const hosts = new Hosts();
  const host = "silent.example";
  const silentForDave = (at: number) => hosts.isSilent(host, "dave", at);
  const find = (...people: string[]) => {
    for (const person of people) hosts.wasSilent(host, person, 1);
  };
  find("alice", "bob", "alice", "bob");
  expect(silentForDave(2)).toBe(false);
  hosts.gave(host, true, 1);
  find("carol", "alice");
  expect(silentForDave(2)).toBe(false);
  find("bob");
  expect([2, minuteMs, minuteMs + 1].map(silentForDave)).toEqual([true, true, false]);
});

test("a host that gave a picture within the hour may be silent twice in a row for a person, and stays proven for others", () => {
  const hosts = new Hosts();
  const host = "pictures.example";
  const state = () => [hosts.isProven(host, 10), hosts.isSilent(host, "alice", 10)];
  const find = (times: number) => {
    for (let i = 0; i < times; i++) hosts.wasSilent(host, "alice", 2);
  };
  hosts.gave(host, false, 1);
  find(2);
  expect(state()).toEqual([true, false]);
  hosts.gave(host, false, 3);
  find(2);
  expect(state()).toEqual([true, false]);
  find(1);
  expect(state()).toEqual([true, true]);
  find(10);
  expect(hosts.isSilent(host, "bob", 10)).toBe(false);
  for (const person of ["bob", "carol"]) hosts.wasSilent(host, person, 5);
  expect([hosts.isProven(host, 10), hosts.isSilent(host, "dave", 10)]).toEqual([false, true]);
  hosts.gave(host, false, 6);
  expect([60, 61].map((minutes) => hosts.isProven(host, minutes * minuteMs))).toEqual([true, false]);
});

test("a late picture makes nobody wait for it, proves no host, and leaves a proven one proven", () => {
  const hosts = new Hosts();
  const state = (host: string) => [hosts.gives(host, 10), hosts.isProven(host, 10)];
  hosts.gave("slow.example", true, 1);
  for (const person of ["alice", "bob"]) hosts.wasSilent("slow.example", person, 2);
  expect(state("slow.example")).toEqual([true, false]);
  hosts.wasSilent("slow.example", "carol", 3);
  expect(state("slow.example")).toEqual([false, false]);
  hosts.gave("pictures.example", false, 1);
  hosts.gave("pictures.example", true, 2);
  expect(state("pictures.example")).toEqual([true, true]);
  expect([60, 61].map((minutes) => hosts.gives("pictures.example", minutes * minuteMs))).toEqual([
    true,
    false,
  ]);
  expect(state("unknown.example")).toEqual([false, false]);
});

test("it remembers a thousand hosts, those that it heard of last", () => {
  const hosts = new Hosts();
  for (const i of [0, 1]) hosts.gave(`${i}.example`, false, 0);
  hosts.gave("0.example", false, 0);
  for (let i = 2; i < 1001; i++) hosts.gave(`${i}.example`, false, 0);
  expect([hosts.isProven("1.example", 1), hosts.isProven("1000.example", 1)]).toEqual([false, true]);
});
