// Builds the scenes: people over HTTP, the rest straight into the database, once for all attacks of a scene.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { Filler } from "../filler.ts";
import { type Stage, setStage } from "../people.ts";
import { scratchFolder } from "../scratch.ts";
import { type HearthOptions, startHearth } from "../servers.ts";
import type { Scene } from "./attack.ts";

export interface Staged {
  dataDir: string;
  /** The attackers. */
  stage: Stage;
  /** The bystanders. */
  neighbours: Stage;
  facts: unknown;
}

const attackers = 30;
const neighbours = 8;

/**
 * `share` is the fraction of the scenes' sizes that is made. On PostgreSQL all scenes share one database, and no rows
 * are filled in.
 */
export class Scenery implements Disposable {
  readonly #scratch = scratchFolder();
  readonly #sets = new Map<string, Staged>();
  readonly #options: HearthOptions;
  readonly #share: number;
  #village: Staged | undefined;

  constructor(options: HearthOptions, share: number) {
    this.#options = options;
    this.#share = share;
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  async set(scene: Scene<unknown>): Promise<Staged> {
    const known = this.#sets.get(scene.name);
    if (known) return known;
    const made = await this.#make(scene);
    this.#sets.set(scene.name, made);
    return made;
  }

  async #make(scene: Scene<unknown>): Promise<Staged> {
    this.#village ??= await this.#build();
    const some = (count: number) => Math.max(1, Math.round(count * this.#share));
    const dataDir = this.#options.databaseUrl ? this.#village.dataDir : join(this.#scratch.path, scene.name);
    if (dataDir !== this.#village.dataDir) cpSync(this.#village.dataDir, dataDir, { recursive: true });
    const { stage } = this.#village;
    const facts = await this.#withServer(dataDir, (origin) => scene.prepare({ ...stage, origin }, some));
    if (scene.fill) {
      using filler = new Filler(dataDir);
      scene.fill(filler, stage, facts, some);
    }
    // The first posts would wait for bytes that are still on their way to the disk.
    Bun.spawnSync(["sync", "-f", dataDir]);
    return { ...this.#village, dataDir, facts };
  }

  #build(): Promise<Staged> {
    const dataDir = join(this.#scratch.path, "village");
    return this.#withServer(dataDir, async (origin) => ({
      dataDir,
      stage: await setStage(origin, attackers),
      neighbours: await setStage(origin, neighbours, "neighbour"),
      facts: undefined,
    }));
  }

  async #withServer<Answer>(dataDir: string, work: (origin: string) => Promise<Answer>): Promise<Answer> {
    await using hearth = await startHearth({ ...this.#options, dataDir });
    return await work(hearth.origin);
  }
}
