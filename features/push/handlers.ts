// Stores subscriptions, and queues messages that concern subscribers in the same commit.
import { limits } from "../../protocol/limits.ts";
import { isHttpUrl } from "../../protocol/shapes.ts";
import { unauthenticated } from "../../server/caller/authentication.ts";
import type { Db } from "../../server/database/database.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { whenAsked } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { NotPublic, notReachable, publicAddresses, readPublicUrl } from "../../server/outbound/addresses.ts";
import { network } from "../../server/outbound/network.ts";
import { idOf, type Place } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { lockUser, needInstanceAdmin } from "../accounts/access.ts";
import { messageCreated, type SharedMessage } from "../messages/contract.ts";
import { notificationSettingsUpdated } from "../notifications/contract.ts";
import { selectSessions, sessionsEnd } from "../sessions/access.ts";
import {
  isComplete,
  learnNews,
  type News,
  recallAgain,
  recallAll,
  stopLearning,
  tellNews,
} from "./certain.ts";
import * as contract from "./contract.ts";
import { checkPush } from "./doctor.ts";
import { emitSubscriptionsUpdated } from "./emitting.ts";
import { endpoints } from "./endpoints.ts";
import { fanOut } from "./fan-out.ts";
import { readAuthSecret, readPublicKey, recallKeys, vapidDetails } from "./keys.ts";
import { queueMigrations } from "./queue.ts";
import { hastenPutOff, sendDue, stopSending } from "./sending.ts";
import {
  deleteEndpointOf,
  pushMigrations,
  type SubscriptionsTable,
  sessionsSubscribed,
  subscriberOf,
  trimSubscriptions,
  upsertSubscription,
} from "./store.ts";
import { concernsSubscriber, isSubscriber, noteSubscriber } from "./subscribers.ts";
import { sendTestPush } from "./test-push.ts";
import { noteWanting, recallWanting } from "./wanting.ts";

export const push: Feature = {
  name: "push",
  migrations: (engine) => ({ ...pushMigrations(engine), ...queueMigrations(engine) }),
  operations: [
    handle(contract.getVapidKey, async ({ unit }) => ({ public_key: vapidDetails(unit.house).publicKey })),

    handle(contract.subscribe, async ({ caller, body, unit }) => {
      const { house } = unit;
      const endpoint = readPublicUrl(body.endpoint, endpoints);
      const row = {
        id: newId(),
        user_id: caller.userId,
        session_id: caller.sessionId,
        endpoint: endpoint.href,
        p256dh: readPublicKey(body.p256dh),
        auth: readAuthSecret(body.auth),
        created_at: Date.now(),
      };
      await checkName(house, endpoint);
      await unit
        .write((write) => keep(write, row))
        .catch(async (error) => {
          const sessions = await selectSessions(unit.db, caller.userId);
          throw sessions.some(({ id }) => id === caller.sessionId) ? error : unauthenticated();
        });
    }),

    handle(contract.unsubscribe, async ({ caller, body, unit }) => {
      if (!isHttpUrl(body.endpoint)) return;
      const url = new URL(body.endpoint);
      url.hash = "";
      if (await deleteEndpointOf(unit.db, caller.userId, url.href))
        emitSubscriptionsUpdated(unit, caller.userId);
    }),

    handle(contract.sendTestPush, async ({ caller, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      await sendTestPush(unit, caller.userId);
      unit.house.log.info({ by: caller.userId }, "a test push was sent");
    }),
  ],
  eventHandlers: [
    // Runs for every message; one that concerns no subscriber costs nothing.
    when(messageCreated, (unit, place, message) => {
      if (concernsSubscriber(unit.house, place, message)) queueMessage(unit, place, message);
      return undefined;
    }),
    when(notificationSettingsUpdated, (unit, { home }, { servers, channels }) => {
      const userId = idOf(home);
      const targets = [
        ...servers.flatMap(({ server_id, level }) => (level === "all" ? server_id : [])),
        ...channels.flatMap(({ channel_id, level }) => (level === "all" ? channel_id : [])),
      ];
      if (isSubscriber(unit.house, userId)) for (const id of targets) noteWanting(unit.house, userId, id);
      return targets.length > 0 ? tellNews(unit, userId) : undefined;
    }),
  ],
  answers: [
    whenAsked(sessionsEnd, async (unit, userId, sessionIds) => {
      const ending = new Set(sessionIds);
      const subscribed = await sessionsSubscribed(unit.db, userId);
      if (subscribed.some((id) => ending.has(id))) emitSubscriptionsUpdated(unit, userId);
    }),
  ],
  events: [contract.pushSubscriptionsUpdated],
  jobs: [
    { name: "fan out messages", everyMs: 500, run: fanOut },
    { name: "send pushes", everyMs: 500, run: sendDue },
    { name: "hasten what a wrong clock put off", everyMs: 600_000, run: hastenPutOff },
  ],
  checks: [{ about: "push", look: checkPush }],
  told: (house, data) => learnNews(house, data as News),
  committed: { lost: recallAgain },
  committing: queueInDoubt,
  async opening(house) {
    await recallKeys(house);
    await recallAll(house);
  },
  close(house) {
    stopLearning(house);
    return stopSending(house);
  },
};

/** Queues messages that may concern unknown subscribers: another process may have committed a missing change. */
async function queueInDoubt(house: House, db: Db, units: readonly UnitOfWork[]): Promise<void> {
  const unqueued = units.flatMap((unit) => {
    const queued = new Set(unit.appends.flatMap(({ table, row }) => (table === queue ? row.message_id : [])));
    const posted = unit.events.filter(({ declaration }) => declaration.type === messageCreated.type);
    const messages = posted.map(({ place, data }) => ({ unit, place, message: data as SharedMessage }));
    return messages.filter(({ message }) => !queued.has(message.id));
  });
  if (unqueued.length === 0) return;
  const isCertain = await isComplete(house, db);
  // Subscribers learned since the message was written count, too.
  for (const { unit, place, message } of unqueued)
    if (!isCertain || concernsSubscriber(house, place, message)) queueMessage(unit, place, message);
}

const queue = "push_messages";

function queueMessage(unit: UnitOfWork, { streams }: Place, message: SharedMessage): void {
  const { id, server_id, mentions } = message;
  // A message of a conversation is meant for all people in it.
  const named = server_id === null ? streams.map(idOf) : mentions.user_ids;
  unit.append(queue, {
    message_id: id,
    fanned_out_to: null,
    mention_user_ids: JSON.stringify(named),
    mention_role_ids: JSON.stringify(mentions.role_ids),
    mentions_everyone: mentions.everyone ? 1 : 0,
    reaches_many: 0,
  });
}

async function keep(unit: UnitOfWork, row: SubscriptionsTable): Promise<void> {
  await lockUser(unit, row.user_id);
  noteSubscriber(unit.house, row.user_id);
  await recallWanting(unit.house, unit.db, [row.user_id]);
  await tellNews(unit, row.user_id);
  const before = await subscriberOf(unit.db, row.endpoint);
  await upsertSubscription(unit.db, row);
  for (const userId of new Set([row.user_id, before ?? row.user_id])) emitSubscriptionsUpdated(unit, userId);
  await trimSubscriptions(unit.db, row.user_id, limits.push_subscriptions_max);
}

const patienceMs = 2000;
/** Bounded, so that slow resolvers do not use up the threads for name lookups. */
const mostLookUps = 8;
const lookUps = perHouse("queue", () => ({ count: 0 }));

/**
 * Rejects an endpoint whose name resolves to an address that is not public. A name that does not resolve at the moment
 * is accepted: each push resolves it again.
 */
async function checkName(house: House, endpoint: URL): Promise<void> {
  const under = lookUps(house);
  // Each push checks the addresses anyway.
  if (under.count >= mostLookUps) return;
  under.count++;
  const look = publicAddresses(network(house).current, endpoint).finally(() => under.count--);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  try {
    await Promise.race([look, late]);
  } catch (error) {
    if (error instanceof NotPublic) throw notReachable(endpoints.field);
  } finally {
    clearTimeout(timer);
  }
}
