// Pushes in tests: a house that reaches the double, people's browsers, and the jobs, which tests run by hand.
import { afterAll, beforeAll, setSystemTime } from "bun:test";
import { fanOut } from "../../../features/push/fan-out.ts";
import { push } from "../../../features/push/handlers.ts";
import { sendDue } from "../../../features/push/sending.ts";
import { noteSubscriber } from "../../../features/push/subscribers.ts";
import { lastMs } from "../../../features/push/trying.ts";
import { noteWanting } from "../../../features/push/wanting.ts";
import { newId } from "../../../server/tokens.ts";
import { type Browser, PushService } from "../../doubles/web-push.ts";
import { until } from "../machine/waiting.ts";
import { onEachEngine, type TestHouse } from "../open/engines.ts";
import type { TestPerson } from "../people/people.ts";
import { fill } from "./crowd.ts";
import { neighbours } from "./home.ts";

const usual = push.jobs!.map((job) => ({ job, run: job.run }));
let areByHand = false;

/** Turns off the jobs that fan out and send pushes, also after a restart. */
function holdJobs(): void {
  areByHand = true;
  for (const { job } of usual) job.run = async () => false;
}

function letJobsGo(): void {
  areByHand = false;
  for (const { job, run } of usual) job.run = run;
}

/**
 * As `onEachEngine`, or `on`, with a push service that the house reaches. Tests push by `allPushed` and its like, so
 * none waits for a job to be due or is overtaken by one.
 */
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
      holdJobs();
    });
    afterAll(() => {
      letJobsGo();
      service.close();
    });
    tests(house, () => service);
  });
}

/** Subscribes a new browser of this person. */
export async function browserOf(person: TestPerson, service: PushService): Promise<Browser> {
  const browser = service.browser();
  const answer = await person.post("/push/subscribe", browser.subscription);
  if (answer.status !== 204) throw new Error(`could not subscribe: ${JSON.stringify(answer.body)}`);
  return browser;
}

/** A new server of Alice's, with Bob and Carol as members; each of the three has a subscribed browser. */
export async function neighboursWithBrowsers(house: TestHouse, service: PushService) {
  const { alice, bob, carol, home } = await neighbours(house);
  const [hers, his, carols] = [
    await browserOf(alice, service),
    await browserOf(bob, service),
    await browserOf(carol, service),
  ];
  return { alice, bob, carol, home, general: home.general.id, hers, his, carols };
}

/** Sets the level of these people to every message of the server, with a browser each if there is a service. */
export async function wantAll(
  house: TestHouse,
  { id: serverId }: { id: string },
  like: TestPerson,
  userIds: readonly string[],
  service?: PushService,
): Promise<Browser[]> {
  const row = { server_id: serverId, target_id: serverId, level: "all" as const, muted_until: null };
  await fill(
    house,
    "notification_settings",
    userIds.map((user_id) => ({ ...row, user_id })),
  );
  if (!service) return [];
  const session = await house.running.house.database.read
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", like.id)
    .executeTakeFirstOrThrow();
  const browsers = userIds.map(() => service.browser());
  await fill(
    house,
    "push_subscriptions",
    userIds.map((user_id, i) => ({
      ...{ id: newId(), user_id, session_id: session.id, created_at: 1 },
      ...(browsers[i] as Browser).subscription,
    })),
  );
  for (const { house: each } of house.all) {
    for (const userId of userIds) {
      noteSubscriber(each, userId);
      noteWanting(each, userId, serverId);
    }
  }
  return browsers;
}

/** Fans out a piece of the backlog, and begins due deliveries. Returns whether any are under way, or due at once. */
async function runJobs({ running: { house } }: TestHouse): Promise<boolean> {
  const more = await fanOut(house);
  return (await sendDue(house)) || more;
}

/** Runs the jobs until the condition holds; deliveries that are under way then are not waited for. */
export function pushedUntil(
  house: TestHouse,
  isSo: () => boolean | Promise<boolean>,
  otherwise: string,
): Promise<void> {
  return until(async () => {
    await runJobs(house);
    return isSo();
  }, otherwise);
}

/**
 * Restarts a house during deliveries. Returns true if all of them ended in time; on a busy machine some are cut off,
 * and sent twice.
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

/** Tries everything that is due now, with the clock stopped: failures wait for their next try. */
export async function allTried(house: TestHouse): Promise<void> {
  setSystemTime(new Date());
  try {
    await until(async () => {
      if (await runJobs(house)) return false;
      return (await leftOf(house)).messages === 0;
    }, "a try does not end");
  } finally {
    setSystemTime();
  }
}

/** Waits until every message is fanned out and every delivery done: people without a push by then get none. */
export async function allPushed(house: TestHouse): Promise<void> {
  await until(async () => {
    const isUnderWay = areByHand && (await runJobs(house));
    return !isUnderWay && isNothingLeft(await leftOf(house));
  }, "something is still to be pushed");
}

interface Left {
  messages: number;
  /** Due times of the deliveries, in epoch milliseconds. */
  dueAt: number[];
}

async function leftOf(house: TestHouse): Promise<Left> {
  const { read } = house.running.house.database;
  const messages = await read.selectFrom("push_messages").select("message_id").execute();
  const deliveries = await read.selectFrom("push_deliveries").select("due_at").execute();
  return { messages: messages.length, dueAt: deliveries.map(({ due_at }) => Number(due_at)) };
}

function isNothingLeft({ messages, dueAt }: Left): boolean {
  return messages === 0 && dueAt.length === 0;
}

/**
 * The same without the backoff before a retry: the clock is set to the next due delivery. It stands still during a
 * delivery, which would be taken again once its lease ended.
 */
export async function allPushedInTime(house: TestHouse): Promise<void> {
  try {
    await until(async () => {
      if (await runJobs(house)) return false;
      const left = await leftOf(house);
      const next = Math.min(...left.dueAt);
      if (left.messages === 0 && left.dueAt.length > 0 && next > Date.now()) setSystemTime(new Date(next));
      return isNothingLeft(left);
    }, "something is still to be pushed");
  } finally {
    setSystemTime();
  }
}
