// Push in tests: a house that reaches the double, browsers of people, and the wait until nothing is owed any more.
import { afterAll, beforeAll, setSystemTime } from "bun:test";
import { push } from "../../features/push/handlers.ts";
import { lastMs } from "../../features/push/trying.ts";
import { type Browser, PushService } from "../doubles/web-push.ts";
import { onEachEngine, type TestHouse } from "./engines.ts";
import { neighbours } from "./home.ts";
import type { TestPerson } from "./people.ts";
import { until } from "./waiting.ts";

/** The jobs that look for new messages and due pushes: five times as often in tests, which wait for nothing else. */
const usualMs = 500;
const often = push.jobs!.filter(({ everyMs }) => everyMs === usualMs);

/** As `onEachEngine`, or what is given instead, with a push service that the house reaches. */
export function withPushService(
  title: string,
  tests: (house: () => TestHouse, service: () => PushService) => void,
  on: typeof onEachEngine = onEachEngine,
): void {
  on(title, (house) => {
    let service: PushService;
    beforeAll(async () => {
      service = await PushService.open();
      service.serve(house());
      for (const job of often) job.everyMs = 100;
    });
    afterAll(() => {
      for (const job of often) job.everyMs = usualMs;
      service.close();
    });
    tests(house, () => service);
  });
}

/** A browser of this person that is subscribed. */
export async function browserOf(person: TestPerson, service: PushService): Promise<Browser> {
  const browser = service.browser();
  const answer = await person.post("/push/subscribe", browser.subscription);
  if (answer.status !== 204) throw new Error(`could not subscribe: ${JSON.stringify(answer.body)}`);
  return browser;
}

/** A new server of Alice's, with Bob and Carol as members; each of the three has a browser that is subscribed. */
export async function neighboursWithBrowsers(house: TestHouse, service: PushService) {
  const { alice, bob, carol, home } = await neighbours(house);
  const [hers, his, carols] = [
    await browserOf(alice, service),
    await browserOf(bob, service),
    await browserOf(carol, service),
  ];
  return { alice, bob, carol, home, general: home.general.id, hers, his, carols };
}

const fanOut = push.jobs!.find(({ name }) => name === "fan out messages")!;
const { run } = fanOut;
const underWay = new Set<Promise<boolean>>();

fanOut.run = async (house) => {
  const running = run(house);
  underWay.add(running);
  try {
    return await running;
  } finally {
    underWay.delete(running);
  }
};

/** Keeps messages from being fanned out until `work` is done, however long it takes. */
export async function beforeFanOut<T>(work: () => Promise<T>): Promise<T> {
  const { run } = fanOut;
  fanOut.run = async () => false;
  try {
    await Promise.allSettled(underWay);
    return await work();
  } finally {
    fanOut.run = run;
  }
}

/**
 * Restarts a house during pushes. Returns true if all of them ended in time; on a busy machine some are cut off, and are
 * sent twice.
 */
export async function restartDuringPushes(house: TestHouse): Promise<boolean> {
  const { close } = push;
  let inTime = 0;
  const { length } = house.all;
  push.close = async (closing) => {
    const began = performance.now();
    await close?.(closing);
    if (performance.now() - began < lastMs) inTime++;
  };
  try {
    await house.restart();
  } finally {
    push.close = close;
  }
  return inTime === length;
}

/** Every message is fanned out and every delivery done: who has got nothing by now gets nothing. */
export async function allPushed(house: TestHouse, patienceMs?: number): Promise<void> {
  await until(async () => (await waiting(house)) === 0, "something is still to be pushed", patienceMs);
}

async function waiting(house: TestHouse): Promise<number> {
  const { read } = house.running.house.database;
  const messages = await read.selectFrom("push_messages").select("message_id").execute();
  const deliveries = await read.selectFrom("push_deliveries").select("id").execute();
  return messages.length + deliveries.length;
}

/** The same, while the clock runs two hundred times as fast: a pause before another try is soon over. */
export async function allPushedInTime(house: TestHouse): Promise<void> {
  try {
    await until(async () => {
      setSystemTime(new Date(Date.now() + 5000));
      return (await waiting(house)) === 0;
    }, "something is still to be pushed");
  } finally {
    setSystemTime();
  }
}
