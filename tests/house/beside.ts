// Processes beside a house: together they are one Hearth, and calls and sockets go to each in turn.
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { RunningHouse } from "../../server/open.ts";

type Open = (settings: Record<string, string>) => Promise<RunningHouse>;

const settledMs = 2000;

export class Beside {
  readonly #all: RunningHouse[];
  readonly #folders: string[] = [];
  /** By process and number of the word: what goes on once it is heard there. */
  readonly #waiting = new Map<string, () => void>();
  #turn = 0;
  #words = 0;

  private constructor(first: RunningHouse) {
    this.#all = [first];
  }

  /** Opens so many more, with the settings of the first but for the folder; uploads are in one folder. */
  static async open(
    first: RunningHouse,
    count: number,
    settings: Record<string, string>,
    open: Open,
  ): Promise<Beside> {
    const beside = new Beside(first);
    const uploads = join(settings.DATA_DIR ?? "", "uploads");
    for (let i = 0; i < count; i++) {
      const folder = `${settings.DATA_DIR}-beside-${i}`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!existsSync(join(folder, "uploads"))) symlinkSync(uploads, join(folder, "uploads"));
      beside.#folders.push(folder);
      beside.#all.push(
        await open({ ...settings, DATA_DIR: folder, PORT: "0", PUBLIC_URL: first.house.publicUrl }),
      );
    }
    for (const [i, { house }] of beside.#all.entries()) {
      house.bus.subscribe((items) => {
        for (const item of items) if (item.kind === "word") beside.#waiting.get(`${i} ${item.data}`)?.();
      });
    }
    return beside;
  }

  /** The address of the next one. */
  get url(): string {
    return this.#all[this.#turn++ % this.#all.length]!.url;
  }

  /** Resolves when the others have heard what the process at this address has told so far. */
  async settled(url: string): Promise<void> {
    const from = this.#all.find((each) => each.url === url);
    if (!from) return;
    const word = this.#words++;
    const heard = this.#all.map((each, i) => (each === from ? undefined : this.#heard(`${i} ${word}`)));
    from.house.bus.tell({ kind: "word", to: "tests", data: word });
    await Promise.all(heard);
  }

  #heard(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("another process hears nothing")), settledMs);
      this.#waiting.set(key, () => {
        clearTimeout(timer);
        this.#waiting.delete(key);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    for (const each of this.#all.slice(1)) await each.stop();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}
