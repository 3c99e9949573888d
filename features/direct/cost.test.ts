// A message in a conversation is committed together with others, and reads nothing: what it needs to know is remembered.
import { expect, test } from "bun:test";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import type { Conversation } from "../channels/contract.ts";

test("from the second message on nothing is read, also after the other one hid the conversation", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const { id: serverId } = await alice.makeServer();
  await alice.bringIn(serverId, bob);
  const { id } = (await alice.post<Conversation>("/direct", { user_ids: [bob.id] })).body;
  await house.quiet();
  const readBy = async (text: string) => {
    const { statements } = await statementsOf(house, () => alice.say(id, text));
    return statements.filter((statement) => /^select/i.test(statement));
  };
  for (let times = 0; times < 2; times++) {
    await alice.say(id, "It is shown to him with this one");
    await alice.say(id, "It is remembered with this one");
    expect(await readBy("Nothing is read for this one")).toEqual([]);
    await bob.delete(`/direct/${id}`);
  }
  await house.end();
});
