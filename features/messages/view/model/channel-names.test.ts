// A message makes a new list of channels; the map of names for parsing, and so the rendered texts, stay the same.
import { expect, test } from "bun:test";
import { ownChannels } from "../../../../tests/client/scene.ts";
import type { Channel } from "../../../channels/contract.ts";
import { isSameChannel } from "../../../channels/view/same-channel.ts";
import { namesOfChannels } from "./channel-names.ts";

const general = { id: "1", name: "General", type: "text", last_message_id: null } as Channel;
const den = { id: "2", name: "den", type: "voice", last_message_id: null } as Channel;
const after = { ...general, last_message_id: "m" };

test("with a message the names are the same map, with another name another one", () => {
  const names = namesOfChannels({ id: "s", channels: ownChannels([general, den]) });
  expect([...names]).toEqual([["general", "1"]]);
  expect(namesOfChannels({ id: "s", channels: ownChannels([after, den]) })).toBe(names);
  const renamed = namesOfChannels({ id: "s", channels: ownChannels([{ ...after, name: "Lobby" }, den]) });
  expect([...renamed]).toEqual([["lobby", "1"]]);
  expect([...namesOfChannels({ id: "s", channels: new Map() })]).toEqual([]);
});

test("where one writes, a channel with another last message is the same, and with another name is not", () => {
  const own = (channel: Channel) => ({ channel: { ...channel, permissions: 1795 } });
  expect(isSameChannel(own(general), own(after))).toBe(true);
  expect(isSameChannel(own(general), own({ ...after, name: "Lobby" }))).toBe(false);
  expect(isSameChannel(own(general), { channel: { ...own(general).channel, permissions: 1 } })).toBe(false);
});
