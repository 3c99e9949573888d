// The test doubles that attacks need, and the server options that point the server at them.
import { join } from "node:path";
import { readLines, start, stop } from "../processes.ts";
import { type HearthOptions, root } from "../servers.ts";
import type { Attack } from "./attack.ts";

export type Doubles = Pick<HearthOptions, "hostPorts" | "settings">;

interface Surroundings extends AsyncDisposable {
  options: Doubles;
}

/**
 * The doubles flood as fast as they can, work that would happen on other machines. So they run on the core of the load
 * generator at a lower priority than the bystanders: otherwise their own work would count as waiting for the server.
 */
export async function surroundingsOf(attacks: readonly Attack<unknown>[]): Promise<Surroundings> {
  const met = [...new Set(attacks.flatMap(({ meets }) => meets ?? []))];
  if (met.length === 0) return { options: {}, [Symbol.asyncDispose]: async () => {} };
  const command = [process.execPath, join(root, "bench/doubles.ts"), ...met];
  const program = start(command, { core: 1, givesWay: true });
  const line = (await readLines(program).next()).value;
  if (!line) throw new Error("the doubles did not open (the reason is above)");
  return { options: JSON.parse(line) as Doubles, [Symbol.asyncDispose]: () => stop(program) };
}
