// Misbehaving hosts that members name in picture links and as push services, with a real server's timeouts.
import { hostOf } from "../../../tests/doubles/misbehaving-hosts.ts";
import { misdeeds } from "../../../tests/doubles/misdeeds.ts";
import { Browser } from "../../../tests/doubles/web-push.ts";
import { call } from "../../people.ts";
import { api, first, membersFlood } from "../asking.ts";
import type { Scene } from "../attack.ts";

const members = 24;

/** A separate data folder, for a server on which every outside host is one of the misbehaving ones. */
const abroad: Scene<undefined> = { name: "abroad", prepare: async () => undefined };

/** Push subscriptions of each member, enough for at least one at each host. */
const browsers = Math.ceil(misdeeds.length / members);

const subscribed: Scene<{ ids: string[] }> = {
  name: "subscribed",
  async prepare({ origin, people }) {
    const ids: string[] = [];
    for (const person of people.slice(0, members))
      ids.push((await call<{ id: string }>(origin, person, "GET", "/auth/me")).id);
    return { ids };
  },
};

const pictureHosts = membersFlood({
  name: "picture-hosts",
  what: `pictures of hosts that do ${misdeeds.length} things wrong, ${members} members`,
  scene: abroad,
  perSecond: 200,
  people: first(members),
  calls(_, number) {
    const protocol = Math.floor(number / misdeeds.length) % 2 === 0 ? "http" : "https";
    const url = `${protocol}://${hostOf(misdeeds[number % misdeeds.length]!)}/${number}`;
    return ["GET", `${api}/pictures?url=${encodeURIComponent(url)}`];
  },
});

const pushHosts = membersFlood<{ ids: string[] }>({
  name: "push-hosts",
  what: `pushes to hosts that do ${misdeeds.length} things wrong, to ${members} members who mention each other`,
  scene: subscribed,
  perSecond: 50,
  people: first(members),
  calls({ facts, channel }, number) {
    if (number < members * browsers) {
      const endpoint = `https://${hostOf(misdeeds[number % misdeeds.length]!)}/${number}`;
      return ["POST", `${api}/push/subscribe`, new Browser(endpoint).subscription];
    }
    return ["POST", `${channel}/messages`, { content: facts.ids.map((id) => `<@${id}>`).join(" ") }];
  },
});

export const hosts = [
  { ...pictureHosts, meets: "hosts" },
  { ...pushHosts, meets: "hosts" },
] as const;
