// The order of one's servers: what is kept of it, who hears of it, and where servers stand that are not named.
import { expect, test } from "bun:test";
import { Follower } from "../../tests/converge/follower.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";

const nobody = "01890000-0000-7000-8000-000000000000";

async function orderOf(person: TestPerson): Promise<string[]> {
  const ear = await person.listen();
  ear.close();
  return (ear.ready as unknown as { server_order: string[] }).server_order;
}

function put(person: TestPerson, ...server_ids: string[]) {
  return person.put("/auth/me/server-order", { server_ids });
}

/** Bob joins three servers of Alice's, the newest first. */
async function threeJoined(house: TestHouse) {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const [one, two, three] = [
    await alice.makeServer("One"),
    await alice.makeServer("Two"),
    await alice.makeServer("Three"),
  ];
  for (const server of [three, two, one]) {
    await alice.bringIn(server.id, bob);
    // The time of joining is kept in milliseconds.
    await Bun.sleep(2);
  }
  return { alice, bob, one, two, three };
}

onEachEngine("the order of one's servers", (house) => {
  test("is that of joining, until Bob puts them into his own; all of his devices hear it, and nobody else", async () => {
    const { alice, bob, one, two, three } = await threeJoined(house());
    expect(await orderOf(bob)).toEqual([three.id, two.id, one.id]);
    const [ears, hers] = [[await bob.listen(), await bob.listen()], await alice.listen()];

    expect((await put(bob, two.id, one.id, three.id)).status).toBe(204);

    const heard = {
      type: "SERVER_ORDER_UPDATE",
      stream: "@me",
      data: { server_ids: [two.id, one.id, three.id] },
    };
    for (const ear of ears) expect(await ear.next("SERVER_ORDER_UPDATE")).toMatchObject(heard);
    expect(await orderOf(bob)).toEqual([two.id, one.id, three.id]);
    await hers.settle();
    expect(hers.heard("SERVER_ORDER_UPDATE")).toEqual([]);
    expect(await orderOf(alice)).toEqual([one.id, two.id, three.id]);
    for (const ear of [...ears, hers]) ear.close();
  });

  test("the same once more is 204, and nobody hears of it", async () => {
    const { bob, one, two, three } = await threeJoined(house());
    const ear = await bob.listen();
    expect((await put(bob, three.id, two.id)).status).toBe(204);
    for (let time = 0; time < 2; time++) expect((await put(bob, one.id)).status).toBe(204);
    await ear.settle();
    const told = ear.heard("SERVER_ORDER_UPDATE").map(({ data }) => data.server_ids as unknown);
    expect(told).toEqual([[one.id, three.id, two.id]]);
    ear.close();
  });

  test("servers that he is not in, unknown ones and repetitions are passed over; those not named come after", async () => {
    const { alice, bob, one, two, three } = await threeJoined(house());
    const hers = await alice.makeServer("Hers");
    expect((await put(bob, nobody, one.id, hers.id, one.id.toUpperCase())).status).toBe(204);
    expect(await orderOf(bob)).toEqual([one.id, three.id, two.id]);
    expect((await put(bob)).status).toBe(204);
    expect(await orderOf(bob)).toEqual([three.id, two.id, one.id]);
  });

  test("a thousand ids are taken, one more is 400, and so is what is no list of ids", async () => {
    const { bob, one, two, three } = await threeJoined(house());
    const many = Array<string>(999).fill(nobody);
    expect((await put(bob, ...many, one.id)).status).toBe(204);
    expect(await orderOf(bob)).toEqual([one.id, three.id, two.id]);
    const wrong = [[...many, one.id, two.id], ["no-id"], [null], two.id, undefined];
    for (const server_ids of wrong) {
      const { status, body } = await bob.put("/auth/me/server-order", { server_ids });
      expect([status, String(body.code)]).toEqual([400, "invalid_request"]);
    }
    expect(await orderOf(bob)).toEqual([one.id, three.id, two.id]);
  });

  test("a server that he joins later comes last, and so does one that he left and joins again", async () => {
    const { alice, bob, one, two, three } = await threeJoined(house());
    await put(bob, two.id, one.id, three.id);
    const follower = await Follower.of(bob);
    const shown = () => follower.copy.servers.map(({ id }) => id);
    await bob.delete(`/servers/${two.id}/members/@me`);
    await follower.until(({ servers }) => servers.length === 2, "he is still in the server");
    expect(await orderOf(bob)).toEqual([one.id, three.id]);
    await alice.bringIn(two.id, bob);
    await follower.until(({ servers }) => servers.length === 3, "he is not in it again");
    const four = await bob.makeServer("Four");
    await follower.until(({ servers }) => servers.length === 4, "his own is missing");
    const order = [one.id, three.id, two.id, four.id];
    expect([await orderOf(bob), shown()]).toEqual([order, order]);

    await alice.delete(`/servers/${one.id}`);
    await put(bob, four.id);
    await follower.until(({ serverOrder }) => serverOrder[0] === four.id, "the order was not told");
    const left = [four.id, three.id, two.id];
    expect([await orderOf(bob), shown()]).toEqual([left, left]);
    follower.close();
  });

  test("a device that was away hears only the newest order; it outlasts a restart", async () => {
    const { bob, one, two, three } = await threeJoined(house());
    const ear = await bob.listen();
    const seq = (ear.ready as unknown as { personal: { seq: number } }).personal.seq;
    const point = { ...ear.resumePoint, streams: { ...ear.resumePoint.streams, "@me": seq } };
    ear.close();
    await put(bob, two.id, one.id);
    await put(bob, one.id, two.id);
    await house().restart();
    const again = await bob.listen(point);
    expect(again.heard("SERVER_ORDER_UPDATE").map(({ data }) => data.server_ids as unknown)).toEqual([
      [one.id, two.id, three.id],
    ]);
    again.close();
    expect(await orderOf(bob)).toEqual([one.id, two.id, three.id]);
  });

  test("of two devices that order at once, the last one holds, and every device has heard it last", async () => {
    const { bob, one, two, three } = await threeJoined(house());
    const ear = await bob.listen();
    const orders = [
      [one.id, two.id, three.id],
      [two.id, three.id, one.id],
      [one.id, three.id, two.id],
    ];
    const answers = await Promise.all(orders.map((order) => insisted(() => put(bob, ...order))));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const held = await orderOf(bob);
    await until(async () => {
      await ear.settle();
      return ear.heard("SERVER_ORDER_UPDATE").length === orders.length;
    }, "an order was not told");
    expect(ear.heard("SERVER_ORDER_UPDATE").at(-1)?.data.server_ids as unknown).toEqual(held);
    ear.close();
  });
});
