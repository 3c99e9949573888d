// Subscribing: the key, the owner of an endpoint, rejections, and that nobody learns another person's endpoint.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { network } from "../../server/outbound/network.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import type { TestHouse } from "../../tests/house/open/engines.ts";
import { send } from "../../tests/house/people/people.ts";
import { allPushed, browserOf, withPushService } from "../../tests/house/scenes/pushes.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

async function endpointsOf(house: TestHouse, userId: string): Promise<string[]> {
  const { read } = house.running.house.database;
  const rows = await read
    .selectFrom("push_subscriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .execute();
  return rows.map((row) => row.endpoint).sort();
}

withPushService("subscribing to push", (house, service) => {
  test("the key is a P-256 point, the same for all, and the same after a restart", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const { status, body } = await alice.get("/push/vapid-public-key");
    const key = String(body.public_key);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["public_key"]);
    expect(Buffer.from(key, "base64url")).toHaveLength(65);
    expect(Buffer.from(key, "base64url")[0]).toBe(4);
    await house().restart();
    service().serve(house());
    expect(String((await bob.get("/push/vapid-public-key")).body.public_key)).toBe(key);
  });

  test("an endpoint belongs to whoever subscribed it last; unsubscribing another's or an unknown one changes nothing", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const browser = await browserOf(alice, service());
    expect((await alice.post("/push/subscribe", browser.subscription)).status).toBe(204);
    expect(await endpointsOf(house(), alice.id)).toEqual([browser.endpoint]);
    const { endpoint } = browser;
    expect((await bob.post("/push/unsubscribe", { endpoint })).status).toBe(204);
    expect(await endpointsOf(house(), alice.id)).toEqual([endpoint]);
    await bob.post("/push/subscribe", browser.subscription);
    expect(await endpointsOf(house(), alice.id)).toEqual([]);
    expect(await endpointsOf(house(), bob.id)).toEqual([endpoint]);
    for (const each of [endpoint, "https://push.example/unknown", "nonsense", ""]) {
      expect((await alice.post("/push/unsubscribe", { endpoint: each })).status).toBe(204);
    }
    expect(await endpointsOf(house(), bob.id)).toEqual([endpoint]);
    expect((await bob.post("/push/unsubscribe", { endpoint: `${endpoint}#here` })).status).toBe(204);
    expect(await endpointsOf(house(), bob.id)).toEqual([]);
  });

  test("when an endpoint goes over to another person, both are told that their list has changed", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const browser = await browserOf(alice, service());
    const ears = [await alice.listen(), await bob.listen()];
    await bob.post("/push/subscribe", browser.subscription);
    const told = [];
    for (const [i, person] of [alice, bob].entries()) {
      // A later event in the person's own stream.
      await person.patch("/auth/me", { display_name: "Afterwards" });
      await ears[i]?.next("ME_UPDATE");
      told.push(ears[i]?.heard("PUSH_SUBSCRIPTIONS_UPDATE").length);
      ears[i]?.close();
    }
    expect(told).toEqual([1, 1]);
  });

  test("a person hears that their list has changed by subscribing and by taking back, and not by what changes nothing", async () => {
    const alice = await house().person("alice");
    const ear = await alice.listen();
    const { endpoint } = await browserOf(alice, service());
    await ear.settle();
    expect(ear.heard("PUSH_SUBSCRIPTIONS_UPDATE")).toHaveLength(1);
    for (const each of [endpoint, endpoint, "https://push.example/unknown"])
      expect((await alice.post("/push/unsubscribe", { endpoint: each })).status).toBe(204);
    await ear.settle();
    expect(ear.heard("PUSH_SUBSCRIPTIONS_UPDATE")).toHaveLength(2);
  });

  test("with the session that subscribed the subscription ends: signed out, or ended from elsewhere", async () => {
    const alice = await house().person("alice");
    const login = { email: alice.email, password: alice.password };
    const again = await alice.post("/auth/login/password", login);
    const phone = again.headers.get("x-session-token") ?? "";
    const [here, there] = [await browserOf(alice, service()), service().browser()];
    expect((await send(house(), phone, "POST", "/push/subscribe", there.subscription)).status).toBe(204);
    expect(await endpointsOf(house(), alice.id)).toEqual([here.endpoint, there.endpoint].sort());
    const changed = await alice.put("/auth/me/password", {
      current_password: alice.password,
      new_password: "another horse battery",
    });
    alice.token = changed.headers.get("x-session-token") ?? alice.token;
    expect(await endpointsOf(house(), alice.id)).toEqual([here.endpoint]);
    expect((await alice.post("/auth/logout")).status).toBe(204);
    expect(await endpointsOf(house(), alice.id)).toEqual([]);
  });

  test("a person hears that their list has changed by the end of a session that subscribed, and of no other", async () => {
    const alice = await house().person("alice");
    const signIn = async () => {
      const login = { email: alice.email, password: alice.password };
      const token = (await alice.post("/auth/login/password", login)).headers.get("x-session-token") ?? "";
      const sessions = await send<{ id: string; current: boolean }[]>(
        house(),
        token,
        "GET",
        "/auth/sessions",
      );
      return { token, path: `/auth/sessions/${sessions.body.find((each) => each.current)?.id}` };
    };
    const [phone, tablet] = [await signIn(), await signIn()];
    const { subscription } = service().browser();
    expect((await send(house(), phone.token, "POST", "/push/subscribe", subscription)).status).toBe(204);
    const ear = await alice.listen();
    const told = async () => {
      await ear.settle();
      return ear.heard("PUSH_SUBSCRIPTIONS_UPDATE").length;
    };
    expect((await alice.delete(tablet.path)).status).toBe(204);
    await ear.next("SESSIONS_UPDATE");
    expect(await told()).toBe(0);
    expect((await alice.delete(phone.path)).status).toBe(204);
    await ear.next("SESSIONS_UPDATE");
    expect(await told()).toBe(1);
    expect(await endpointsOf(house(), alice.id)).toEqual([]);
    ear.close();
  });

  test("who signs out while the endpoint's name is looked up is not signed in any more, and nothing is kept", async () => {
    const alice = await house().person("alice");
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    for (const running of house().all) {
      const kept = network(running.house);
      const lookup = async () => {
        asked.resolve();
        await told.promise;
        return ["93.184.216.34"];
      };
      kept.current = { ...kept.current, lookup };
    }
    const subscribing = alice.post("/push/subscribe", service().browser().subscription);
    await asked.promise;
    expect((await alice.post("/auth/logout")).status).toBe(204);
    told.resolve();
    expect(verdict(await subscribing)).toBe("401 unauthenticated");
    expect(await endpointsOf(house(), alice.id)).toEqual([]);
    service().serve(house());
  });

  test("twenty browsers are enough: the oldest subscription goes", async () => {
    const alice = await house().person("alice");
    const endpoints: string[] = [];
    for (let i = 0; i <= limits.push_subscriptions_max; i++) {
      endpoints.push((await browserOf(alice, service())).endpoint);
      await Bun.sleep(2);
    }
    expect(await endpointsOf(house(), alice.id)).toEqual(endpoints.slice(1).sort());
    // Concurrent subscriptions do not exceed the limit either.
    const bob = await house().person("bob");
    const subscribe = () => bob.post("/push/subscribe", service().browser().subscription);
    await Promise.all(Array.from({ length: 25 }, () => insisted(subscribe)));
    expect(await endpointsOf(house(), bob.id)).toHaveLength(limits.push_subscriptions_max);
  });

  test("an endpoint that is not https on port 443 of the public internet is 400, and is not kept", async () => {
    const alice = await house().person("alice");
    const { subscription } = service().browser();
    service().names.set("inside.example", ["93.184.216.34", "10.0.0.1"]);
    for (const endpoint of [
      "http://push.example/x",
      "https://push.example:22/x",
      "https://user:secret@push.example/x",
      "https://[::ffff:127.0.0.1]/x",
      "https://0x7f000001/x",
      "https://169.254.169.254/x",
      "https://localhost/x",
      "https://inside.example/x",
    ]) {
      const answer = await alice.post("/push/subscribe", { ...subscription, endpoint });
      expect([endpoint, answer.status, String(answer.body.code)]).toEqual([endpoint, 400, "invalid_request"]);
      expect(String(answer.body.fields?.[0]?.path)).toBe("endpoint");
    }
    expect(await endpointsOf(house(), alice.id)).toEqual([]);
    expect(service().reached).toEqual([]);
  });

  test("a name that leads nowhere at the moment is kept: it is looked up again when there is something to send", async () => {
    const alice = await house().person("alice");
    const endpoint = "https://not-yet.example/x";
    const { subscription } = service().browser();
    expect((await alice.post("/push/subscribe", { ...subscription, endpoint })).status).toBe(204);
    expect(await endpointsOf(house(), alice.id)).toEqual([endpoint]);
  });

  test("keys for which nothing could be encrypted are 400", async () => {
    const alice = await house().person("alice");
    const { subscription } = service().browser();
    const notOnTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url");
    for (const wrong of [
      { p256dh: "" },
      { p256dh: "abc" },
      { p256dh: notOnTheCurve },
      { p256dh: subscription.p256dh.slice(0, -4) },
      { p256dh: 5 },
      { p256dh: undefined },
      { auth: "" },
      { auth: "abc" },
      { auth: "ä".repeat(22) },
      { auth: undefined },
      { endpoint: undefined },
      { endpoint: `https://push.example/${"x".repeat(limits.url_max)}` },
    ]) {
      expect((await alice.post("/push/subscribe", { ...subscription, ...wrong })).status).toBe(400);
    }
    expect(await endpointsOf(house(), alice.id)).toEqual([]);
    const padded = { ...subscription, auth: `${subscription.auth}==`, p256dh: `${subscription.p256dh}=` };
    expect((await alice.post("/push/subscribe", padded)).status).toBe(204);
  });

  test("no answer and no event holds an endpoint or a key of it", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ear = await alice.listen();
    const browser = await browserOf(bob, service());
    await alice.say(home.general.id, `@${bob.username} are you there?`);
    await allPushed(house());
    await ear.settle();
    const paths = [
      `/users/${bob.id}`,
      `/servers/${home.id}/members`,
      `/channels/${home.general.id}/messages`,
    ];
    const seen = [
      ...(await Promise.all(paths.map((path) => alice.get(path)))).map(({ body }) => body as unknown),
      ...(await Promise.all(["/auth/me", "/instance"].map((path) => bob.get(path)))).map(({ body }) => body),
      ear.frames,
    ];
    for (const secret of [new URL(browser.endpoint).pathname, browser.p256dh, browser.auth]) {
      expect(JSON.stringify(seen)).not.toContain(secret);
    }
    ear.close();
  });
});
