// A reader that stops reading is closed, reconnects and resumes, while its neighbour misses nothing.
import { expect, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import { RawSocket } from "./raw-socket.ts";

onEachEngine("slow readers", (house) => {
  test("one who stops reading is closed with 4009 or 1006; the neighbour hears all; the slow one resumes whole", async () => {
    const [alice, bob, carol] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("carol"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob, carol);
    const neighbour = await carol.listen();
    const point = neighbour.resumePoint;
    const raw = await RawSocket.open(house().url);
    raw.say("AUTH", { token: bob.token });
    await raw.until((texts) => texts.length > 0);
    raw.wire.pause();

    const sockets = () => house().all.reduce((sum, { house: { metrics } }) => sum + metrics.sockets, 0);
    const before = sockets();
    const text = "🦊".repeat(3900);
    let said = 0;
    // Socket buffers of the system take some megabytes before the server notices.
    for (; sockets() === before && said < 3000; said += 50) {
      await Promise.all(Array.from({ length: 50 }, () => alice.say(home.general.id, text)));
    }
    expect(sockets()).toBe(before - 1);

    await neighbour.untilAll(() => neighbour.heard("MESSAGE_CREATE").length === said);
    const seqs = neighbour.heard("MESSAGE_CREATE").map((frame) => frame.seq ?? 0);
    expect(seqs).toEqual(seqs.map((_, i) => (point.streams[home.id] ?? 0) + 1 + i));
    raw.wire.resume();
    expect([1006, 4009]).toContain(await raw.closed());

    const again = await RawSocket.open(house().url);
    again.say("AUTH", { token: bob.token, resume: point });
    const greets = (text: string) => /^\{"type":"(RESUMED|READY)"/.test(text);
    await again.until((texts) => texts.some(greets));
    const greeting = JSON.parse(again.texts.find(greets) ?? "");
    expect(greeting).toMatchObject({ type: "RESUMED", data: { replayed: said } });
    again.end();
  });
});
