// Runs each attack at the default rate limits, and measures whether bystanders can go on using the server.
import { startPostgres } from "../../tests/house/servers/postgres.ts";
import type { Attack } from "../bystander/attack.ts";
import { attackNamed, attacks } from "../bystander/attacks.ts";
import { attackOnce, type Extent, type Round } from "../bystander/round.ts";
import { Scenery } from "../bystander/scenery.ts";
import { surroundingsOf } from "../bystander/surroundings.ts";
import { rowsAbout, tableOf } from "../bystander/verdict.ts";
import type { Scale } from "../options.ts";
import { killAll } from "../processes.ts";
import type { Findings } from "../report.ts";
import { type HearthOptions, root, startHearth } from "../servers.ts";

export interface Choice {
  /** The folder of the checkout whose Hearth is attacked; this one's by default. */
  checkout: string | undefined;
  /** Names of attacks; empty means all. */
  only: readonly string[];
  postgres: boolean;
}

type Attacked = HearthOptions & { checkout: string };

/** Resolves to undefined when PostgreSQL is requested and not installed. */
export async function measureBystander(
  scale: Scale,
  { checkout = root, only, postgres }: Choice,
  logLevel?: string,
): Promise<Findings | undefined> {
  await using database = postgres ? await startPostgres(true) : undefined;
  if (postgres && !database) return undefined;
  const options: Attacked = database
    ? { checkout, logLevel, databaseUrl: database.url, core: "any" }
    : { checkout, logLevel };
  const chosen = (only.length > 0 ? only.map(attackNamed) : attacks).filter(({ name, scene, isPossible }) => {
    // Scenes are filled with rows on SQLite only.
    if (database && scene.fill) return false;
    if (!isPossible || isPossible(checkout)) return true;
    console.error(`bystander: ${name} is not possible here`);
    return false;
  });
  const rounds = scale.smoke
    ? await inPassing(chosen, scale, options)
    : await oneByOne(chosen, scale, options);
  return {
    rows: rowsAbout(rounds, chosen.length),
    table: tableOf(rounds, !scale.smoke),
    raw: { workload: "bystander", rounds },
  };
}

/** Runs each attack on a freshly started server. */
async function oneByOne(chosen: Attack<unknown>[], scale: Scale, options: Attacked): Promise<Round[]> {
  using scenery = new Scenery(options, 1);
  const rounds: Round[] = [];
  for (const attack of chosen) {
    const set = await scenery.set(attack.scene);
    try {
      await using around = await surroundingsOf([attack]);
      const given = { ...options, ...around.options, dataDir: set.dataDir, limited: true };
      await using hearth = await startHearth(given);
      const seconds = Math.max(scale.attackSeconds, attack.leastSeconds ?? 0);
      const extent: Extent = { seconds, share: 1, hurried: false };
      rounds.push(await attackOnce(attack, hearth, set, options.checkout, extent));
      console.error(tableOf(rounds.slice(-1), true).split("\n").at(-1));
    } catch (error) {
      // A server that exits, or lets nobody sign in, is a result too.
      console.error(`bystander: ${attack.name} failed: ${error instanceof Error ? error.message : error}`);
      killAll();
    }
  }
  return rounds;
}

/** The smoke run, which checks that every attack works and gets answers. The attacks of a scene share one server. */
async function inPassing(chosen: Attack<unknown>[], scale: Scale, options: Attacked): Promise<Round[]> {
  const share = 0.005;
  using scenery = new Scenery(options, share);
  const rounds: Round[] = [];
  for (const [scene, ofScene] of Map.groupBy(chosen, (attack) => attack.scene)) {
    const set = await scenery.set(scene);
    await using around = await surroundingsOf(ofScene);
    await using hearth = await startHearth({
      ...options,
      ...around.options,
      dataDir: set.dataDir,
      limited: true,
    });
    for (const attack of ofScene) {
      const extent: Extent = { seconds: scale.attackSeconds, share, hurried: true };
      const round = await attackOnce(attack, hearth, set, options.checkout, extent);
      mustWork(round);
      rounds.push(round);
    }
  }
  return rounds;
}

function mustWork({ name, made, answers, posts, lost, unheard }: Round): void {
  const answered = Object.keys(answers).some((how) => how !== "no answer" && how !== "no connection");
  if (made === 0 || !answered) throw new Error(`${name}: of ${made} calls none was answered`);
  if (posts.count === 0) throw new Error(`${name}: nobody posted anything`);
  if (Object.keys(lost).length > 0) throw new Error(`${name}: a bystander met ${JSON.stringify(lost)}`);
  if (unheard > 0) throw new Error(`${name}: ${unheard} posts were not heard`);
}
