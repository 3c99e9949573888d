// Every revocation by one process holds on the others within a second, through Redis and without it.
import { afterAll, beforeAll, beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { features } from "../../server/features.ts";
import { UnitOfWork } from "../../server/house/unit.ts";
import { promptly } from "../house/machine/waiting.ts";
import { at, canCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import type { TestPerson } from "../house/people/people.ts";
import { publicUrl, revocations, type Scene } from "./revocations.ts";

/** Operations that revoke nothing, or nothing that a process caches. */
const takesNothing = `
  createBadge giveBadge createServer updateServer createRole unbanUser unblockUser openConversation addRecipient setPresence setAvailability
  createChannel updateChannel startTyping uploadFile createMessage markChannelRead markServerRead setServerNotifications setServerOrder
  setAvatar setServerIcon deleteServerIcon setBotAvatar deleteBotAvatar
  setChannelNotifications setPushSettings addReaction createWebhook executeWebhook createEvent updateEvent setRsvp
  createInvite joinByInvite createBot updateBot addBotToServer createCommand register subscribeToPush
  unsubscribeFromPush sendTestPush createVoiceToken receiveVoiceWebhook startCall endCall beginPasskey addPasskey beginPasskeyLogin
  loginWithPasskey forgotPassword createResetLink sendTestMail`
  .trim()
  .split(/\s+/);

const changing = features
  .flatMap((feature) => feature.operations.map((handler) => handler.operation))
  .filter(({ method }) => method !== "GET");
const revoking = features.flatMap((feature) => feature.events ?? []).filter((event) => event.revokes);

test("every operation that changes something either stands in the table or takes nothing, as it is written here", () => {
  expect([...Object.keys(revocations), ...takesNothing].sort()).toEqual(
    changing.map(({ name }) => name).sort(),
  );
});

const title = canCluster ? "two processes" : "two processes (skipped: no PostgreSQL or no Redis here)";

describe.skipIf(!canCluster)(title, () => {
  let cluster: OpenCluster;
  let alice: TestPerson;
  let scene: Scene;
  let emit: Mock<UnitOfWork["emit"]>;
  const emitted = new Set<string>();

  beforeAll(async () => {
    cluster = await openCluster(2, { PUBLIC_URL: publicUrl });
    alice = await cluster.houses[0]!.person("alice");
    emit = spyOn(UnitOfWork.prototype, "emit");
  });
  afterAll(() => {
    emit?.mockRestore();
    return cluster?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    const [one, other] = cluster.houses as [(typeof cluster.houses)[0], (typeof cluster.houses)[0]];
    const home = await alice.makeServer();
    const bob = await one.person("bob");
    await alice.bringIn(home.id, bob);
    scene = { one, other, alice, bob: at(other.url, bob), home };
  });

  function eachIsGone() {
    for (const [name, prepare] of Object.entries(revocations)) {
      test(`after ${name} on one, what it takes is gone on the other`, async () => {
        const { take, holds, socket, undo } = await prepare(scene);
        await promptly(holds);
        emit.mockClear();
        const { status } = await take();
        for (const [{ type }] of emit.mock.calls) emitted.add(type);
        expect(status).toBeLessThan(300);
        await promptly(async () => !(await holds()));
        if (socket) expect((await socket.closed).code).toBe(4010);
        await undo?.();
      });
    }
  }

  describe("through Redis", eachIsGone);

  describe("while Redis is away", () => {
    beforeAll(() => cluster.redis.kill());
    eachIsGone();
  });

  test("every event that revokes something was among them", () => {
    expect(revoking.map(({ type }) => type).filter((type) => !emitted.has(type))).toEqual([]);
  });
});
