// B1, T37: the most parameters that a query may have; a larger one is refused before it is parsed.
import { beforeAll, expect, test } from "bun:test";
import { onOneProcess } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { verdict } from "../permissions/verdict.ts";
import { expectRefusal } from "../routes/error-body.ts";

onOneProcess("a query", (house) => {
  let alice: TestPerson;
  let messages: string;
  beforeAll(async () => {
    alice = await house().person("alice");
    const { general } = await alice.makeServer();
    messages = `/channels/${general.id}/messages`;
    await alice.say(general.id, "Hello");
  });

  const parameters = (count: number) => Array.from({ length: count }, (_, i) => `x${i}=1`).join("&");

  test("of 50 parameters is read, of 51 refused, and so is one of thousands", async () => {
    expect((await alice.get<unknown[]>(`${messages}?limit=5&${parameters(49)}`)).body).toHaveLength(1);
    for (const query of [
      `limit=5&${parameters(50)}`,
      "a&".repeat(5000),
      "&".repeat(50),
      "limit=1&".repeat(51),
    ]) {
      expectRefusal(await alice.get(`${messages}?${query}`), "invalid_request");
    }
  });

  test("that names a parameter many times is refused for that parameter", async () => {
    const answer = await alice.get(`${messages}?${"limit=1&".repeat(49)}limit=2`);
    expectRefusal(answer, "invalid_request");
    expect(JSON.stringify(answer.body.fields)).toContain('"limit"');
  });

  test("with names that objects have by themselves means nothing by them", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const query = names.map((name) => `${name}=1&${name}=2`).join("&");
    expect(verdict(await alice.get(`${messages}?limit=5&${query}`))).toBe("200");
    expect(verdict(await alice.get(`${messages}?__proto__=1&limit=0x`))).toBe("400 invalid_request");
  });
});
