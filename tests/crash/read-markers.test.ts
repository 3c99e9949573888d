// Read markers and `kill -9`: a marker whose event was sent is stored, and one's own messages are never unread.
import { expect, test } from "bun:test";
import { readState } from "../house/scenes/read-states.ts";
import { towns } from "./town.ts";

const { openTown, start } = towns();

test("a message is read by its author, however soon after it the server is killed", async () => {
  const { server, settings, alice, general } = await openTown();
  const { id } = await alice.say(general, "and then");
  await server.kill();
  await start(settings);
  expect((await readState(alice, general))?.last_read_id).toBe(id);
});

test("a marker that the person heard of is there after a kill", async () => {
  const { server, settings, alice, general } = await openTown();
  const ear = await alice.listen();
  const last = (await readState(alice, general))?.last_read_id;
  await alice.put(`/channels/${general}/read`, { message_id: null });
  await ear.next("READ_STATE_UPDATE");
  await alice.put(`/channels/${general}/read`, { message_id: last });
  await ear.next("READ_STATE_UPDATE");
  await server.kill();
  await start(settings);
  expect((await readState(alice, general))?.last_read_id).toBe(last as string);
});
