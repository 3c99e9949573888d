// Malicious picture hosts: each attempt ends and frees its slot, and others get their pictures meanwhile.
import { afterAll, beforeAll, expect, type Mock, spyOn, test } from "bun:test";
import type { Socket } from "node:net";
import { network } from "../../server/outbound/network.ts";
import { hostOf, MisbehavingHosts } from "../../tests/doubles/misbehaving-hosts.ts";
import { misdeeds } from "../../tests/doubles/misdeeds.ts";
import { answering, heldBack, type Manner, silence } from "../../tests/doubles/picture-host.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import type { TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { png } from "../../tests/house/scenes/files.ts";
import { askFor, withPictureHost } from "../../tests/house/scenes/pictures.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";

const patienceMs = 2000;
/** In real time none of these tests takes this long: they set the clock forward themselves. */
const longMs = 300_000;

/** Retries like a page while there is no slot, for many timeouts. */
async function insist(who: TestPerson, url: string): Promise<number> {
  for (const end = performance.now() + 30 * patienceMs; ; await Bun.sleep(100)) {
    const { status } = await askFor(who, url);
    if (status !== 429 || performance.now() > end) return status;
  }
}

const crowd = (house: TestHouse, count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => house.person(`reader${i}`)));

withPictureHost("pictures of hosts that mean ill", (house, host) => {
  const allow = (ms: number) => {
    for (const { house: each } of house().all) network(each).current.patienceMs = ms;
  };
  const shorten = () => allow(patienceMs);

  let clock: Mock<() => number>;
  let aheadMs = 0;
  beforeAll(() => {
    const now = performance.now.bind(performance);
    clock = spyOn(performance, "now").mockImplementation(() => now() + aheadMs);
  });
  afterAll(() => clock.mockRestore());

  test("each misdeed, all at once by both protocols: 404, and every place and connection is given back", async () => {
    const hosts = await MisbehavingHosts.open();
    // Long enough for a busy machine to serve the good host next to all the others.
    hosts.serve(house(), 2 * patienceMs);
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 20);
    const people = await crowd(house(), 36);
    const urls = misdeeds.flatMap((each) => [`http://${hostOf(each)}/`, `https://${hostOf(each)}/`]);
    const bystander = await house().person("bystander");
    const attempts = urls.map(async (url, i) => {
      const status = await insist(people[Math.floor(i / 4)] as TestPerson, url);
      return status === 404 ? "" : `${url}: ${status}`;
    });
    for (let i = 0; i < 10; i++) expect(await insist(bystander, `${hosts.goodUrl}/${i}.png`)).toBe(200);
    expect((await Promise.all(attempts)).filter(Boolean)).toEqual([]);
    await until(() => hosts.open === 0, "a connection is still open");
    clearInterval(watch);
    expect(most).toBeLessThan(400 * 1024 * 1024);
    hosts.close();
    host().serve(house());
    // Only one picture at a time is fetched from a host that has given none so far.
    expect((await askFor(bystander, "http://pictures.example/proof.png")).status).toBe(200);
    await takeAll(await crowd(house(), 14));
  });

  /** Takes all 32 slots: six people have four each, then eight have one. */
  async function takeAll(people: readonly TestPerson[]): Promise<void> {
    const held = heldBack();
    const asking: ReturnType<typeof askFor>[] = [];
    const take = async (who: readonly TestPerson[], each: number) => {
      for (const person of who)
        for (let i = 0; i < each; i++)
          asking.push(askFor(person, host().at(`/all/${person.id}/${i}.png`, held.manner)));
      const reached = () => host().heads.filter((head) => head.includes("/all/")).length;
      await until(() => reached() === asking.length, "places are missing");
    };
    await take(people.slice(0, 6), 4);
    await take(people.slice(6), 1);
    held.release();
    for (const { status } of await Promise.all(asking)) expect(status).toBe(200);
  }

  test("eight people whose hosts are silent keep no new picture from another, and wait for their next", async () => {
    shorten();
    const attackers = await crowd(house(), 8);
    const bystander = await house().person("bystander");
    let isOver = false;
    let refused = 0;
    const attack = attackers.flatMap((who, i) =>
      Array.from({ length: 4 }, async (_, j) => {
        for (let turn = 0; !isOver; turn++) {
          const url = host().apart(`/silent/${i}/${j}/${turn}.png`, silence);
          const { status, headers } = await askFor(who, url);
          if (status !== 429) continue;
          if (Number(headers.get("retry-after")) > 1) refused++;
          await Bun.sleep(50);
        }
      }),
    );
    await until(() => host().open >= 20, "nothing is held");
    for (let i = 0; i < 60; i++) {
      const { status } = await askFor(bystander, host().at(`/new/${i}.png`, heldAndReleased()));
      expect([i, status]).toEqual([i, 200]);
    }
    await until(() => refused > 0, "nobody who wastes places is told to wait");
    await until(() => host().open < 16, "those who waste places have them still");
    isOver = true;
    await Promise.all(attack);
  });

  /** A response that takes a while. */
  const heldAndReleased = () => {
    const { manner, release } = heldBack();
    return (...given: Parameters<typeof manner>) => {
      manner(...given);
      setTimeout(release, 20);
    };
  };

  test("a reader whose page asked for six silent pictures gets the next one", async () => {
    shorten();
    const reader = await house().person("reader");
    const silent = Array.from({ length: 6 }, (_, i) =>
      insist(reader, host().apart(`/page/${i}.png`, silence)),
    );
    expect(new Set(await Promise.all(silent))).toEqual(new Set([404]));
    expect(await insist(reader, "http://pictures.example/next.png")).toBe(200);
  });

  const arrived = (path: string, count: number) =>
    until(
      () => host().heads.filter((head) => head.includes(path)).length === count,
      `${path} is not asked for`,
    );

  /** Has each person wait for silent hosts until they are locked out for minutes. */
  async function useUp(...people: TestPerson[]): Promise<void> {
    allow(longMs);
    const silent: Socket[] = [];
    const keep: Manner = (socket) => silent.push(socket);
    const asking = people.flatMap((who) =>
      Array.from({ length: 4 }, (_, i) => askFor(who, host().apart(`/waste/${who.id}/${i}.png`, keep))),
    );
    await until(() => silent.length === asking.length, "not all of them are asked for");
    aheadMs += 2 * longMs;
    for (const socket of silent) socket.destroy();
    for (const { status } of await Promise.all(asking)) expect(status).toBe(404);
  }

  test("a host that says nothing is asked once: all who want others of its pictures lose no time of their own", async () => {
    shorten();
    const people = await crowd(house(), 3);
    const urls = people.map((_, i) =>
      Array.from({ length: 12 }, (_, j) => {
        const { pathname } = new URL(host().at(`/one/${i}/${j}.png`, silence));
        return `http://one.pictures.example${pathname}`;
      }),
    );
    const page = (who: TestPerson, mine: readonly string[]) =>
      Promise.all(mine.map(async (url) => expect(await insist(who, url)).toBe(404)));
    await Promise.all(people.map((who, i) => page(who, urls[i] ?? [])));
    expect(host().heads.filter((head) => head.includes("/one/"))).toHaveLength(1);
    for (const who of people)
      expect((await askFor(who, host().apart(`/${who.id}.png`, answering(png)))).status).toBe(200);
  });

  test("one person's slow addresses on a shared host take no pictures of it from others", async () => {
    shorten();
    const [attacker, reader] = [await house().person("attacker"), await house().person("reader")];
    const url = (path: string, manner: Manner) => {
      const { pathname } = new URL(host().at(path, manner));
      return `http://shared.pictures.example${pathname}`;
    };
    expect((await askFor(reader, url("/shared/first.png", answering(png)))).status).toBe(200);
    const slow = Array.from({ length: 3 }, (_, i) => insist(attacker, url(`/shared/slow/${i}.png`, silence)));
    expect(await Promise.all(slow)).toEqual([404, 404, 404]);
    expect((await askFor(attacker, url("/shared/third.png", answering(png)))).status).toBe(404);
    expect((await askFor(reader, url("/shared/second.png", answering(png)))).status).toBe(200);
  });

  test("who asks an unknown host for a slow address keeps it from nobody who comes then", async () => {
    shorten();
    const [attacker, reader] = [await house().person("attacker"), await house().person("reader")];
    const url = (path: string, manner: Manner) => {
      const { pathname } = new URL(host().at(path, manner));
      return `http://unasked.pictures.example${pathname}`;
    };
    expect(await insist(attacker, url("/unasked/slow.png", silence))).toBe(404);
    expect((await askFor(attacker, url("/unasked/one.png", answering(png)))).status).toBe(404);
    expect((await askFor(reader, url("/unasked/two.png", answering(png)))).status).toBe(200);
  });

  test("a person whose time is used up gets pictures of proven hosts, one at a time, and four such people do", async () => {
    allow(longMs);
    const people = await crowd(house(), 5);
    const other = await house().person("other");
    expect((await askFor(other, "http://pictures.example/proven.png")).status).toBe(200);
    await useUp(...people);
    const held = heldBack();
    const asking = people.map(async (who) => {
      const { status } = await askFor(who, host().at(`/apart/${who.id}.png`, held.manner));
      return status;
    });
    await arrived("/apart/", 4);
    expect(await Promise.race(asking)).toBe(429);
    const [one] = people as [TestPerson];
    expectRefusal(await askFor(one, "http://pictures.example/second.png"), "rate_limited");
    held.release();
    expect((await Promise.all(asking)).sort()).toEqual([200, 200, 200, 200, 429]);
    for (const who of people)
      expect((await askFor(who, `http://pictures.example/then/${who.id}.png`)).status).toBe(200);
    expectRefusal(await askFor(one, host().apart("/unknown.png", answering(png))), "rate_limited");
  });

  test("who wasted places for long waits, is told for how long, and others do not", async () => {
    const [waster, other] = [await house().person("waster"), await house().person("other")];
    await useUp(waster);
    const refused = await askFor(waster, host().apart("/mine.png", answering(png)));
    expectRefusal(refused, "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(60, longMs / 100);
    expect((await askFor(other, "http://pictures.example/theirs.png")).status).toBe(200);
  });

  test("a host whose pictures come late is asked for several at once, but not by people whose time is used up", async () => {
    allow(longMs);
    const [reader, waster] = [await house().person("reader"), await house().person("waster")];
    const held = heldBack();
    const url = (path: string) => {
      const { pathname } = new URL(host().at(path, held.manner));
      return `http://late.pictures.example${pathname}`;
    };
    const first = askFor(reader, url("/late/first.png"));
    await arrived("/late/", 1);
    aheadMs += longMs / 2;
    held.release();
    expect((await first).status).toBe(200);
    const more = [askFor(reader, url("/late/second.png")), askFor(reader, url("/late/third.png"))];
    await arrived("/late/", 3);
    aheadMs += longMs / 2;
    held.release();
    for (const { status } of await Promise.all(more)) expect(status).toBe(200);
    await useUp(waster);
    expectRefusal(await askFor(waster, url("/late/fourth.png")), "rate_limited");
  });

  const sentenceOf = ({ body }: { body: unknown }) => (body as { error: string }).error;

  test("of a host that has no pictures, each wait for it ends: too many are fetched, not the reader's own", async () => {
    allow(longMs);
    const reader = await house().person("reader");
    const silent: Socket[] = [];
    const asking = Array.from({ length: 12 }, (_, i) => {
      host().at(`/empty/${i}.png`, (socket) => silent.push(socket));
      return askFor(reader, `http://empty.pictures.example/empty/${i}.png`);
    });
    const refused = Promise.any(
      asking.map(async (each) => {
        const answer = await each;
        return answer.status === 429 ? answer : Promise.reject(new Error(`${answer.status}`));
      }),
    );
    let isOver = false;
    const ends = Promise.all(asking).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await until(() => isOver || silent.length > 0, "nothing is asked for");
      aheadMs += longMs / 4;
      for (const socket of silent.splice(0)) answering("", {}, 404)(socket, "");
    }
    expect(sentenceOf(await refused)).toStartWith("Too many pictures");
    for (const { status } of await ends) expect(status).toBeOneOf([404, 429]);
  });

  test("thirty-two requests of a person wait for a host's first picture, one more is 429, and another person waits", async () => {
    allow(longMs);
    const [reader, other] = [await house().person("reader"), await house().person("other")];
    const held = heldBack();
    host().at("/alone/first.png", held.manner);
    const ask = (who: TestPerson, path: string) => askFor(who, `http://first.pictures.example${path}`);
    const first = ask(reader, "/alone/first.png");
    await arrived("/alone/first.png", 1);
    const waiting = Array.from({ length: 33 }, (_, i) => ask(reader, `/alone/${i}.png`));
    const refused = await Promise.race(waiting);
    expectRefusal(refused, "rate_limited");
    expect(sentenceOf(refused)).toStartWith("Too many pictures");
    // The same holds for those who wait for that very picture.
    expectRefusal(await ask(reader, "/alone/first.png"), "rate_limited");
    const others = ask(other, "/alone/first.png");
    expect(host().heads.filter((head) => head.includes("/alone/"))).toHaveLength(1);
    held.release();
    for (const { status } of await Promise.all([first, others])) expect(status).toBe(200);
    for (const { status } of await Promise.all(waiting)) expect(status).toBeOneOf([200, 429]);
  });
});
