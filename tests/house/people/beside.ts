// Further processes of a house: together they form one Hearth, and calls and sockets go to each in turn.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Heard } from "../../../server/bus/heard.ts";
import { SharedBus } from "../../../server/bus/shared.ts";
import { streamHeads } from "../../../server/house/streams.ts";
import type { RunningHouse } from "../../../server/open.ts";
import type { StreamKey } from "../../../server/place.ts";
import { until } from "../machine/waiting.ts";

interface Process {
  running: RunningHouse;
  bus: SharedBus;
  /** Callbacks by the number of the word; each runs once the word arrives at this process. */
  waiting: Map<number, () => void>;
}

type Open = (settings: Record<string, string>) => Promise<RunningHouse>;

/** Every open house with several processes, by each of their addresses. */
const besides = new Map<string, Beside>();

/** Resolves when the other processes have received what the one at this address has sent so far. */
export async function heardBeside(url: string): Promise<void> {
  await besides.get(url)?.heard(url);
}

/** Resolves when each process of this house has received what the others have sent so far. */
export async function allHeard(url: string): Promise<void> {
  const beside = besides.get(url);
  if (beside) await Promise.all(beside.all.map((each) => beside.heard(each.url)));
}

export class Beside {
  readonly #all: readonly Process[];
  #turn = 0;
  #words = 0;

  private constructor(all: readonly RunningHouse[]) {
    this.#all = all.map((running) => withEars(running));
    for (const { url } of all) besides.set(url, this);
  }

  /** Opens `count` more processes at the same time, with the settings of the first and a folder each. */
  static async open(
    first: RunningHouse,
    count: number,
    settings: Record<string, string>,
    open: Open,
  ): Promise<Beside> {
    const more = Array.from({ length: count }, (_, i) => {
      const folder = join(settings.DATA_DIR ?? "", `beside-${i}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return open({ ...settings, DATA_DIR: folder, PORT: "0", PUBLIC_URL: first.house.publicUrl });
    });
    return new Beside([first, ...(await Promise.all(more))]);
  }

  get all(): readonly RunningHouse[] {
    return this.#all.map(({ running }) => running);
  }

  /** The address of the next process, in turn. */
  get url(): string {
    return this.#all[this.#turn++ % this.#all.length]!.running.url;
  }

  async heard(url: string): Promise<void> {
    const from = this.#all.find(({ running }) => running.url === url);
    if (!from) return;
    const others = this.#all.filter((each) => each !== from);
    const word = this.#words++;
    const heard = others.map(({ waiting }) => new Promise<void>((resolve) => waiting.set(word, resolve)));
    // A process whose pulse has not come back sends nothing.
    await until(() => from.bus.isCarried, "Redis brings nothing");
    from.bus.tell({ kind: "word", to: "tests", data: word });
    // Redis keeps a sender's order: once the word arrives, so has all that was sent before it to subscribers.
    await inTime(Promise.all(heard));
    await complete(from, others);
  }

  async close(): Promise<void> {
    for (const { running } of this.#all) besides.delete(running.url);
    await Promise.all(this.#all.slice(1).map(({ running }) => running.stop()));
  }
}

function withEars(running: RunningHouse): Process {
  const { bus } = running.house;
  if (!(bus instanceof SharedBus)) throw new Error("the house shares nothing with others");
  const waiting: Process["waiting"] = new Map();
  bus.subscribe((items) => {
    for (const item of items) {
      if (item.kind !== "word" || item.to !== "tests") continue;
      waiting.get(Number(item.data))?.();
      waiting.delete(Number(item.data));
    }
  });
  return { running, bus, waiting };
}

/** Waits for events from before a process subscribed to their stream: they come from the log, in a second. */
async function complete({ running }: Process, others: readonly Process[]): Promise<void> {
  const followed = () => others.flatMap(({ bus }) => [...bus.followed()]);
  const streams = new Set(followed().map(([stream]) => stream));
  if (streams.size === 0) return;
  const heads = await streamHeads(running.house.database.read, [...streams]);
  const isMissing = ([stream, { isComing, upTo }]: [StreamKey, Heard]) =>
    !isComing || upTo < (heads.get(stream) ?? 0);
  await until(() => !followed().some(isMissing), "another process does not hear all");
}

const patienceMs = 180_000;

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("another process hears nothing")), patienceMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
