// A queue: the order of work, how much runs at a time, what is refused, and the effects of failing and closing.
import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { Queue, QueueClosed, Queues } from "./queue.ts";

/** Work that ends when it is told to, and a list of what has begun. */
function stage() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (error) => (error ? reject(error) : resolve(name)));
    });
  };
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test("two at a time: the third begins when one of them ends, and whoever comes at that moment is behind it", async () => {
  const { begun, work, end } = stage();
  const queue = new Queue({ atOnce: 2 });
  const [alice, bob, carol] = ["alice", "bob", "carol"].map((name) => queue.run(work(name)));
  expect(begun).toEqual(["alice", "bob"]);
  end("bob");
  const dave = bob?.then(() => queue.run(work("dave")));
  await bob;
  expect(begun).toEqual(["alice", "bob", "carol"]);
  end("alice");
  await alice;
  expect(begun).toEqual(["alice", "bob", "carol", "dave"]);
  expect(queue.running).toBe(2);
  end("carol");
  end("dave");
  expect(await Promise.all([carol, dave])).toEqual(["carol", "dave"]);
  expect(queue.running).toBe(0);
});

test("whoever comes when all places to wait are taken is refused in the words of the queue, and nothing of theirs runs", async () => {
  const { begun, work, end } = stage();
  const queue = new Queue({ mostWaiting: 1, full: () => new Error("Come back later.") });
  const first = queue.run(work("first"));
  expect(queue.isFull).toBe(false);
  const second = queue.run(work("second"));
  expect(queue.isFull).toBe(true);
  await expect(queue.run(work("third"))).rejects.toThrow("Come back later.");
  end("first");
  await first;
  const fourth = queue.run(work("fourth"));
  end("second");
  await second;
  end("fourth");
  expect(await fourth).toBe("fourth");
  expect(begun).toEqual(["first", "second", "fourth"]);
});

test("one whose work fails hears of it, and the next has their turn all the same", async () => {
  const { work, end } = stage();
  const queue = new Queue();
  const thrown = () => {
    throw new Error("at once");
  };
  const all = Promise.allSettled([
    queue.run(work("first")),
    queue.run(thrown),
    queue.run(async () => "last"),
  ]);
  end("first", new Error("in the end"));
  expect(await all).toEqual([
    { status: "rejected", reason: new Error("in the end") },
    { status: "rejected", reason: new Error("at once") },
    { status: "fulfilled", value: "last" },
  ]);
});

test("when it closes, what runs comes to its end, and who waits or comes later is told that it closed", async () => {
  const { begun, work, end } = stage();
  const queue = new Queue();
  const [running, waiting] = [queue.run(work("running")), queue.run(work("waiting"))];
  queue.close();
  await expect(waiting).rejects.toBeInstanceOf(QueueClosed);
  await expect(queue.run(work("late"))).rejects.toBeInstanceOf(QueueClosed);
  end("running");
  expect(await running).toBe("running");
  expect(begun).toEqual(["running"]);
});

test("by key, each person's come one after the other, nobody waits for another person, and nothing is left behind", async () => {
  const { begun, work, end } = stage();
  const queues = new Queues();
  const one = queues.run("alice", work("alice 1"));
  const two = queues.run("alice", work("alice 2"));
  const his = queues.run("bob", work("bob 1"));
  expect(begun).toEqual(["alice 1", "bob 1"]);
  end("alice 1", new Error("not now"));
  await expect(one).rejects.toThrow("not now");
  const three = queues.run("alice", work("alice 3"));
  expect(begun).toEqual(["alice 1", "bob 1", "alice 2"]);
  end("alice 2");
  await two;
  expect(begun.at(-1)).toBe("alice 3");
  end("alice 3");
  end("bob 1");
  await Promise.all([three, his]);
  expect(queues.size).toBe(0);
});

test("by key, each person has bounds of their own", async () => {
  const { work, end } = stage();
  const queues = new Queues({ atOnce: 1, mostWaiting: 0, full: () => new Error("One at a time.") });
  const hers = queues.run("alice", work("alice"));
  await expect(queues.run("alice", work("alice again"))).rejects.toThrow("One at a time.");
  const his = queues.run("bob", work("bob"));
  end("alice");
  end("bob");
  expect(await Promise.all([hers, his])).toEqual(["alice", "bob"]);
});

test("work that is given up while it waits leaves its place to the next; what runs comes to its end", async () => {
  const { begun, work, end } = stage();
  const queue = new Queue({ mostWaiting: 1 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = queue.run(work("first"), running.signal);
  const second = queue.run(work("second"), waiting.signal);
  running.abort();
  waiting.abort(new Error("I have no time."));
  await expect(second).rejects.toThrow("I have no time.");
  const third = queue.run(work("third"), AbortSignal.abort(new Error("Nor have I.")));
  await expect(third).rejects.toThrow("Nor have I.");
  const fourth = queue.run(work("fourth"));
  end("first");
  expect(await first).toBe("first");
  end("fourth");
  expect(await fourth).toBe("fourth");
  expect(begun).toEqual(["first", "fourth"]);
});

test("work that is refused as its queue closes listens no longer whether it is given up", async () => {
  const { work, end } = stage();
  const queue = new Queue();
  const giving = new AbortController();
  const running = queue.run(work("alice"));
  const waiting = queue.run(work("bob"), giving.signal);
  expect(getEventListeners(giving.signal, "abort").length).toBe(1);
  queue.close();
  await expect(waiting).rejects.toBeInstanceOf(QueueClosed);
  expect(getEventListeners(giving.signal, "abort").length).toBe(0);
  end("alice");
  await running;
});
