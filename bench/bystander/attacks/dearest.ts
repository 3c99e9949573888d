// The most expensive calls, by one account and by thirty, as fast as the rate limits let each make them.
import { dearestCalls, varied } from "../../costs/dearest.ts";
import { homeOfPerson } from "../../load/addresses.ts";
import { signIn } from "../../load/signing-in.ts";
import { api, first, membersFlood, owner } from "../asking.ts";
import type { Attack } from "../attack.ts";
import { type City, city } from "../scenes/city.ts";

/** Calls a second of each account. The rate limit refuses the surplus, at little cost. */
const perSecond = 50;
const accounts = 30;

/** `title` matches the method, path and body of a call in `dearestCalls`. */
const dearest: [name: string, what: string, title: RegExp][] = [
  ["members", "member list of 10⁵ by 1,000", /^GET .*members\?limit=1000/],
  ["search", "search for members where 10⁵ elsewhere are called so", /^GET .*members\?q=/],
  ["blocks", "list of 1,000 blocked people", /^GET \/blocks/],
  ["channels", "list of 500 channels", /^GET \/channels\?/],
  ["settings", "500 notification settings", /^GET \/notification-settings/],
  ["setting", "one of 500 notification settings", /^PUT \/channels\/.*notification-settings/],
  ["reading", "a server of 500 channels read", /^POST .*\/read$/],
  ["naming", "posts that name 100 people", /^POST .*messages <@/],
  ["correcting", "edits that name 100 people", /^PATCH \/messages/],
];

function titled({ method, path, body }: ReturnType<typeof dearestCalls>[number]): string {
  const { content } = (body ?? {}) as { content?: string };
  return `${method} ${path}${content === undefined ? "" : ` ${content}`}`;
}

function floods(suffix: string, whose: string, people: number[]): Attack<City>[] {
  return dearest.map(([name, what, title]) =>
    membersFlood({
      name: `dearest-${name}${suffix}`,
      what: `${what}, ${whose}`,
      scene: city,
      perSecond: perSecond * people.length,
      people,
      calls({ stage, facts }, number) {
        // People may edit only their own messages.
        const message = facts.messages[people[number % people.length]!]!;
        const call = dearestCalls(stage, { ...facts, message }).find((each) => title.test(titled(each)));
        if (!call) throw new Error(`no dear call is like ${title}`);
        return [call.method, `${api}${call.path}`, varied(call.body, number)];
      },
    }),
  );
}

function signingIn(suffix: string, whose: string, people: number[]): Attack<City> {
  return {
    name: `dearest-ready${suffix}`,
    what: `READY of 500 channels, ${whose}`,
    scene: city,
    async run(attacker) {
      await attacker.go();
      await Promise.all(people.map((person) => again(attacker, person)));
    },
  };
}

async function again(attacker: Parameters<Attack<City>["run"]>[0], person: number): Promise<void> {
  const { token } = attacker.stage.people[person]!;
  while (!attacker.isOver()) {
    attacker.made();
    const coming = signIn(attacker.target, { token, from: homeOfPerson(person) }).then(
      (socket) => {
        socket.close();
        return "READY";
      },
      (error: Error) => error.message,
    );
    attacker.answered(String((await Promise.race([coming, attacker.over])) ?? "no answer"));
    await Bun.sleep(20);
  }
}

const socketsAtOnce = 5000;
/** The limit of concurrent sockets of one person. */
const socketsOfOne = 50;
const addresses = 250;

const storm: Attack<City> = {
  name: "socket-storm",
  what: "5,000 sockets sign in at the same moment",
  scene: city,
  async run(attacker) {
    await attacker.go();
    await Promise.all(
      Array.from({ length: attacker.some(socketsAtOnce) }, async (_, index) => {
        const tokens = attacker.facts.tokens.slice(0, socketsAtOnce / socketsOfOne);
        const token = tokens[index % tokens.length]!;
        attacker.made();
        try {
          const socket = await signIn(attacker.target, { token, from: homeOfPerson(index % addresses) });
          attacker.answered("READY");
          await attacker.over;
          socket.close();
        } catch (error) {
          attacker.answered((error as Error).message);
        }
      }),
    );
  },
};

export const dearestAttacks: readonly Attack<City>[] = [
  ...floods("", "one account", owner),
  signingIn("", "one account", owner),
  ...floods("-30", "30 accounts", first(accounts)),
  signingIn("-30", "30 accounts", first(accounts)),
  storm,
];
