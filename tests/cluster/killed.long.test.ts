// A process is killed while its requests to other services are under way: the remaining process completes the work.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { type Browser, PushService } from "../doubles/web-push.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { at, type Cluster, canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";
import { enter } from "../house/scenes/parlour.ts";
import { browserOf } from "../house/scenes/pushes.ts";
import { MailBox, tokenIn } from "../house/servers/mail-box.ts";

const title = canCluster ? "" : " (skipped: no PostgreSQL or no Redis here)";
const mentions = 10;
/** Milliseconds: more than a lease and the interval of the slowest job together. */
const takenOverMs = 120_000;

describe.skipIf(!canCluster)(`a process that is killed in the middle of its calls${title}`, () => {
  const media = new LiveKitDouble();
  let cluster: Cluster;
  let service: PushService;
  let box: MailBox;
  let other: ServerProcess;
  let [alice, bob]: TestPerson[] = [];
  let browser: Browser;
  let room: string;
  const said: string[] = [];
  /** Pushes that the service had received, without an answer, when the process was killed. */
  let inFlight: string[];

  const pushed = () => service.notices(browser).map((notice) => String(notice.message_id));
  const start = (name: string) =>
    startServer({
      settings: { ...cluster.settings(name), PUSH_PORT: String(service.port) },
      command: [process.execPath, "bench/hearth-and-push.ts"],
    });

  beforeAll(async () => {
    [service, box] = [await PushService.open(), await MailBox.open()];
    cluster = await makeCluster({ ...media.settings, ...box.settings });
    // The first process runs all jobs, so it is the one to kill.
    const one = await start("one");
    alice = await TestPerson.register(one, "alice");
    bob = await TestPerson.register(one, "bob");
    const carol = await TestPerson.register(one, "carol");
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob, carol);
    room = (
      await alice.post<{ id: string }>("/channels", { server_id: home.id, name: "parlour", type: "voice" })
    ).body.id;
    await enter(media, carol, room);
    browser = await browserOf(bob, service);
    other = await start("other");

    service.behave(browser, ...Array.from({ length: mentions }, () => "silence" as const));
    media.stalls = "at once";
    box.isSilent = true;
    await alice.post("/auth/password/forgot", { email: bob.email });
    for (let i = 0; i < mentions; i++) said.push((await alice.say(home.general.id, `<@${bob.id}> ${i}`)).id);
    await alice.delete(`/servers/${home.id}/members/${carol.id}`);
    await until(
      () => pushed().length > 0 && media.stalled.length > 0 && box.tries > 0,
      "no call is under way",
    );
    await one.kill();
    // All that it had sent has arrived.
    await until(async () => (await service.connections()) === 0, "a connection is still open");
    inFlight = pushed();
    service.behave(browser);
    media.stalls = undefined;
    box.isSilent = false;
    expect([...(media.rooms.get(room)?.keys() ?? [])]).toEqual([carol.id]);
  }, 400_000);

  afterAll(async () => {
    await other?.kill();
    await cluster?.[Symbol.asyncDispose]();
    service?.close();
    await box?.close();
    media.stop();
  });

  test("has its pushes sent by another: each once, and again only what was in flight", async () => {
    expect(inFlight.length).toBeLessThan(mentions);
    const owed = [...said, ...inFlight].sort();
    await until(() => pushed().length >= owed.length, "a push is lost", takenOverMs);
    expect(pushed().sort()).toEqual(owed);
  }, 400_000);

  test("has whom it was putting out of a voice room put out by another", async () => {
    await until(() => (media.rooms.get(room)?.size ?? 0) === 0, "she is still there", takenOverMs);
  }, 400_000);

  test("takes its mails with it, and another sends a link to whoever asks again", async () => {
    expect(box.mails).toEqual([]);
    const there = at(other.url, bob!);
    await there.post("/auth/password/forgot", { email: bob!.email });
    const token = tokenIn(await box.linkTo(bob!.email));
    const set = await there.post("/auth/password/reset", { token, new_password: "a new long password" });
    expect(set.status).toBe(204);
    expect(box.mails).toHaveLength(1);
  });
});
