// Sockets of members: signing in again and again, sending much, reading nothing.
import { homeOfPerson } from "../../load/addresses.ts";
import { resumed, signIn, startsWith } from "../../load/signing-in.ts";
import type { FrameHandler } from "../../load/websocket-reader.ts";
import { first, membersFlood } from "../asking.ts";
import type { Attack, Attacker } from "../attack.ts";
import { type History, livingLog } from "../scenes/history.ts";
import { joiner, joinerIndex } from "../scenes/joiner.ts";
import { type Metropolis, metropolis } from "../scenes/metropolis.ts";
import { village } from "../scenes/village.ts";
import { openEars } from "./ears.ts";

const people = 10;
const twoEach = [...first(people), ...first(people)];
/** The longest message: 4,000 characters, four bytes each. */
const fullMessage = "😀".repeat(4000);

export const signingInAgain: Attack<{ model: string }> = {
  name: "joiner-sign-ins",
  what: "20 sockets of one in 2,000 servers sign in again and again",
  scene: joiner,
  run: (attacker) => signInAgain(attacker, Array(20).fill(joinerIndex)),
};

export const flapping: Attack<Metropolis> = {
  name: "flapping",
  what: "20 of 10⁵ come and go by their sockets, 50 listen",
  scene: metropolis,
  async run(attacker) {
    const ears = await openEars(attacker, [{ person: 1, sockets: 50 }]);
    await signInAgain(attacker, first(22).slice(2));
    for (const ear of ears) ear.close();
  },
};

export const replays: Attack<History> = {
  name: "replays",
  what: "20 sockets of ten resume over 9,000 events again and again",
  scene: livingLog,
  async run(attacker) {
    const { serverId, people: all } = attacker.stage;
    const epoch = await epochSeenBy(attacker, all[0]!.token);
    const resume = { epoch, streams: { [serverId]: attacker.facts.before } };
    await signInAgain(attacker, twoEach, resume);
  },
};

export const falseResumes: Attack<undefined> = {
  name: "false-resumes",
  what: "20 sockets of ten resume what is not theirs, 1,000 servers long",
  scene: village,
  async run(attacker) {
    const epoch = await epochSeenBy(attacker, attacker.stage.people[0]!.token);
    const streams = Object.fromEntries(Array.from({ length: 1000 }, () => [Bun.randomUUIDv7(), 1]));
    await signInAgain(attacker, twoEach, { epoch, streams });
  },
};

export const tinyFrames: Attack<undefined> = {
  name: "tiny-frames",
  what: "10,000 PINGs in one go, 20 sockets of ten again and again",
  scene: village,
  async run(attacker) {
    await attacker.go();
    const pings = Array.from({ length: 10_000 }, () => '{"type":"PING"}');
    await Promise.all(
      twoEach.map(async (person) => {
        const { token } = attacker.stage.people[person]!;
        while (!attacker.isOver()) {
          const end = Promise.withResolvers<string>();
          const handler = { onText: () => attacker.answered("frame"), onClose: end.resolve };
          const coming = signIn(attacker.target, { token, from: homeOfPerson(person) }, handler);
          coming.then((socket) => {
            attacker.made();
            socket.sendAll(pings);
          }, end.resolve);
          attacker.answered(String((await Promise.race([end.promise, attacker.over])) ?? "no answer"));
          await Bun.sleep(100);
        }
      }),
    );
  },
};

export const bigFrames: Attack<undefined> = {
  name: "big-frames",
  what: "frames of 60 kB, 50 sockets of one",
  scene: village,
  async run(attacker) {
    const sockets = await openEars(attacker, [{ person: 1, sockets: 50 }]);
    const frame = JSON.stringify({ type: "PING", data: "x".repeat(60_000) });
    await attacker.go();
    while (!attacker.isOver()) {
      for (const socket of sockets) {
        socket.send(frame);
        attacker.made();
      }
      await Bun.sleep(500);
    }
    attacker.answered("sent");
    for (const socket of sockets) socket.close();
  },
};

const posting = membersFlood({
  name: "slow-readers",
  what: "500 sockets that stop reading, posts of 16 kB",
  scene: village,
  perSecond: 100,
  people: first(people),
  calls: ({ channel }) => ["POST", `${channel}/messages`, { content: fullMessage }],
});

export const slowReaders: Attack<undefined> = {
  ...posting,
  async run(attacker) {
    const listening = first(people).map((person) => ({ person, sockets: 50 }));
    const sockets = await openEars(attacker, listening);
    for (const socket of sockets) socket.pause();
    await posting.run(attacker);
    for (const socket of sockets) socket.close();
  },
};

/** Opens one socket for each of these people, which connects, gets READY or a refusal, and connects again. */
async function signInAgain(attacker: Attacker<unknown>, who: number[], resume?: unknown): Promise<void> {
  const handler: FrameHandler = {
    onText: (bytes, start) => {
      if (startsWith(bytes, start, resumed)) attacker.answered("resumed");
    },
    onClose: () => {},
  };
  await attacker.go();
  await Promise.all(
    who.map(async (person) => {
      const { token } = attacker.stage.people[person]!;
      while (!attacker.isOver()) {
        attacker.made();
        const coming = signIn(attacker.target, { token, from: homeOfPerson(person), resume }, handler);
        const end = await Promise.race([coming, attacker.over]).catch(String);
        attacker.answered(typeof end === "string" ? end : end ? "signed in" : "no answer");
        if (typeof end === "string") await Bun.sleep(100);
        coming.then(
          (socket) => socket.close(),
          () => {},
        );
      }
    }),
  );
}

async function epochSeenBy(attacker: Attacker<unknown>, token: string): Promise<string> {
  const ready = Promise.withResolvers<string>();
  const socket = await signIn(
    attacker.target,
    { token, from: homeOfPerson(0) },
    {
      onText: (bytes, start, end) => ready.resolve(bytes.toString("utf8", start, end)),
      onClose: ready.reject,
    },
  );
  const { data } = JSON.parse(await ready.promise) as { data: { epoch: string } };
  socket.close();
  return data.epoch;
}
