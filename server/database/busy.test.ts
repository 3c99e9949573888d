// Another program that locks or moves the database file for a while: writers wait, or are refused, and readers go on.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import type { Message } from "../../features/messages/contract.ts";
import { closeCode } from "../../protocol/closing.ts";
import { heldDatabase } from "../../tests/house/machine/held.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { Ear } from "../../tests/house/people/ear.ts";

test("while somebody holds the database, reading goes on, and what waits is written afterwards", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const alice = await house.person("alice");
  const { general } = await alice.makeServer();
  const held = heldDatabase(house.running.house.config.dataDir);
  let answered = false;
  const saying = alice.say(general.id, "after you").finally(() => {
    answered = true;
  });
  for (let time = 0; time < 5; time++) {
    expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
    expect((await alice.get<Message[]>(`/channels/${general.id}/messages`)).body).toEqual([]);
  }
  expect(answered).toBe(false);
  held.run("rollback");
  held.close();
  expect((await saying).content).toBe("after you");
  await house.end();
});

test("while the data folder is moved away nothing is acknowledged, nothing is made in its place, and all goes on once it is back", async () => {
  const house = await makeHouse("SQLite", { LOG_LEVEL: "silent" }, undefined, true);
  await house.open();
  await house.quiet();
  const alice = await house.person("alice");
  const { general } = await alice.makeServer();
  const { dataDir } = house.running.house.config;
  const say = (content: string) => alice.post(`/channels/${general.id}/messages`, { content });
  renameSync(dataDir, `${dataDir}-aside`);
  mkdirSync(dataDir);
  for (const content of ["in doubt", "refused"]) expect((await say(content)).status).toBe(503);
  // A snapshot opens its own connection, by the file's name.
  const ear = await Ear.connect(house.url);
  ear.say("AUTH", { token: alice.token });
  expect((await ear.closed).code).toBe(closeCode.restart.code);
  const ready = await (await fetch(`${house.url}/readyz`)).text();
  expect(ready).toContain("No writes are taken: the data folder or a file in it is gone or replaced");
  expect(readdirSync(dataDir)).toEqual([]);
  rmdirSync(dataDir);
  renameSync(`${dataDir}-aside`, dataDir);
  await until(async () => (await say("taken")).status === 201, "nothing is written");
  const { body } = await alice.get<Message[]>(`/channels/${general.id}/messages`);
  const contents = body.map(({ content }) => content);
  expect(contents).toContain("taken");
  expect(contents).not.toContain("refused");
  await house.end();
});
