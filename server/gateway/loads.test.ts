// States of people whose sockets sign in at the same moment: loaded once for all of them, and never for closed sockets.
import { expect, spyOn, test } from "bun:test";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

const together = 20;

onEachEngine("sockets of one person that sign in at the same moment", (house) => {
  /** Signs sockets in; `meanwhile` is called once all have sent AUTH. Returns the READYs, and the number of loads. */
  async function signIn(meanwhile: (gateway: Gateway, sockets: readonly Socket[]) => void) {
    const alice = await house().person("alice");
    await alice.makeServer();
    const { house: running } = house().running;
    const gateway = new Gateway(running, running.bus);
    const loads = spyOn(running.database, "snapshot");
    const readies: string[] = [];
    const sockets = Array.from({ length: together }, () => new Socket(undefined, "127.0.0.1"));
    const signedIn = sockets.map((socket) => {
      const send = (frame: string) => {
        const { type, data } = JSON.parse(frame);
        if (type === "READY") readies.push(`${data.user.username} in ${data.servers.length}`);
        return frame.length;
      };
      gateway.opened(socket, wireWith({ send }));
      return gateway.received(socket, JSON.stringify({ type: "AUTH", data: { token: alice.token } }));
    });
    meanwhile(gateway, sockets);
    await Promise.all(signedIn);
    const count = loads.mock.calls.length;
    loads.mockRestore();
    gateway.close("restart");
    return { readies, count };
  }

  test("share it, as each has a READY", async () => {
    const { readies, count } = await signIn(() => {});
    expect(readies).toHaveLength(together);
    expect([...new Set(readies)]).toEqual([expect.stringMatching(/^alice\S* in 1$/)]);
    // The first socket's load does not wait for the other sockets.
    expect(count).toBeLessThan(together / 2);
  });

  test("and close while they wait cost no load", async () => {
    const { readies, count } = await signIn((gateway, sockets) => {
      for (const socket of sockets) gateway.closed(socket);
    });
    expect({ readies, count }).toEqual({ readies: [], count: 0 });
  });

  test("are told of many servers, and begin to follow them, with others' turns in between", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    await fillServers(running, 300, [alice]);
    const gateway = new Gateway(running, running.bus);
    let turn = 0;
    let next = setImmediate(function count() {
      turn++;
      next = setImmediate(count);
    });
    const toldIn: number[] = [];
    const followedIn = new Set<number>();
    const sockets = Array.from({ length: 4 }, () => new Socket(undefined, "127.0.0.1"));
    // No reader takes anything until all READYs are sent, and then all take everything at the same moment.
    const isFull = () => toldIn.length < sockets.length;
    const signedIn = sockets.map((socket) => {
      const wire = wireWith({
        send: (frame) => {
          if (frame.startsWith('{"type":"READY"')) toldIn.push(turn);
          return frame.length;
        },
        subscribe: () => followedIn.add(turn),
        getBufferedAmount: () => (isFull() ? 1024 * 1024 : 0),
      });
      gateway.opened(socket, wire);
      return gateway.received(socket, JSON.stringify({ type: "AUTH", data: { token: alice.token } }));
    });
    await Promise.all(signedIn);
    clearImmediate(next);
    gateway.close("restart");
    expect([toldIn.length, followedIn.size]).toEqual([sockets.length, sockets.length]);
    for (const turns of [toldIn, [...followedIn]])
      for (const [i, at] of turns.slice(1).entries()) expect(at - (turns[i] ?? 0)).toBeGreaterThanOrEqual(4);
  });
});
