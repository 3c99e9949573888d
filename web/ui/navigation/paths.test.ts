// Paths of the page are those of its routes, and of the links that are sent to people.
import { expect, test } from "bun:test";
import { messagePath } from "../../../protocol/links.ts";
import { pagePath } from "../../../protocol/page-paths.ts";
import { paths } from "./paths.ts";

test("a channel and a message are found at their routes, inside of servers and outside", () => {
  const filled = (path: string) => path.replace(/\{(\w+)\}/g, "$1");
  for (const [server_id, channel, message] of [
    ["serverID", pagePath.channel, pagePath.message],
    [null, pagePath.direct, pagePath.directMessage],
  ] as const) {
    expect(paths.channel({ server_id, id: "channelID" })).toBe(filled(channel));
    expect(paths.message({ server_id, channel_id: "channelID", id: "messageID" })).toBe(filled(message));
    const told = { server_id, channel_id: "channelID", message_id: "messageID" };
    expect(messagePath(told)).toBe(filled(message));
  }
});
