// The channels of a category, which is a word that they share.
import type { OwnServer } from "../../../client/servers.ts";
import type { OwnChannel } from "../state.ts";

export function channelsOfCategory({ channels }: Pick<OwnServer, "channels">, name: string): OwnChannel[] {
  return [...channels.values()].filter(({ category }) => category === name);
}
