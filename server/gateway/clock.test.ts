// A clock that is set while people are connected: no socket ends because of it, and none exceeds its limits.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

const limited = { RATE_LIMITS: "on" };

/** Interval of the sweeps of unauthenticated sockets, in milliseconds; slow readers are checked every ten sweeps. */
const sweepMs = 10;
/** A bit less than the longest time for which a reader may take nothing, in milliseconds. */
const stallMs = 4500;

/** A socket with data that its reader has not taken. */
function open(gateway: Gateway) {
  const codes: number[] = [];
  const seen = { looks: 0 };
  const socket = new Socket(undefined, "127.0.0.1");
  gateway.opened(
    socket,
    wireWith({
      close: (code) => void codes.push(code),
      getBufferedAmount() {
        seen.looks++;
        return 10;
      },
    }),
  );
  const says = (type: string, data: unknown) => gateway.received(socket, JSON.stringify({ type, data }));
  return { socket, codes, says, seen };
}

onEachEngine(
  "a clock that is set",
  (house) => {
    afterEach(() => void setSystemTime());

    test("an hour ahead ends nobody: neither who is about to sign in, nor who is reading", async () => {
      const alice = await house().person("alice");
      const { house: running } = house().running;
      await until(async () => {
        const gateway = new Gateway(running, running.bus, sweepMs);
        const [stranger, reader] = [open(gateway), open(gateway)];
        await reader.says("AUTH", { token: alice.token });
        const begun = performance.now();
        await until(() => reader.socket.behindSince > 0, "nobody looks at the reader");
        setSystemTime(new Date(Date.now() + 3_600_000));
        const { looks } = reader.seen;
        await until(() => reader.seen.looks >= looks + 3, "nobody looks at the reader again");
        const codes = [stranger.codes, reader.codes].flat();
        const tookMs = performance.now() - begun;
        gateway.close("restart");
        setSystemTime();
        // After a stall of the machine the reader really was too slow.
        if (tookMs < stallMs) expect(codes).toEqual([]);
        return tookMs < stallMs;
      }, "this machine always stands still");
    });

    test("ahead gives no more frames: the 121st of a minute is too many", async () => {
      const alice = await house().person("alice");
      const { house: running } = house().running;
      const gateway = new Gateway(running, running.bus);
      const { codes, says } = open(gateway);
      await says("AUTH", { token: alice.token });
      for (let i = 0; i < 119; i++) await says("PING", {});
      expect(codes).toEqual([]);
      setSystemTime(new Date(Date.now() + 61_000));
      await says("PING", {});
      expect(codes).toEqual([4008]);
      gateway.close("restart");
    });
  },
  limited,
);
