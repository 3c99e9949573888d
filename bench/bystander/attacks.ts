// The attacks, in the order of the table.
import type { Attack } from "./attack.ts";
import { backends } from "./attacks/backends.ts";
import { connections } from "./attacks/connections.ts";
import { crowds } from "./attacks/crowds.ts";
import { dearestAttacks } from "./attacks/dearest.ts";
import { hosts } from "./attacks/hosts.ts";
import { backups, slowSync, startWithDeadLog } from "./attacks/machine.ts";
import { members } from "./attacks/members.ts";
import {
  bigFrames,
  falseResumes,
  flapping,
  replays,
  signingInAgain,
  slowReaders,
  tinyFrames,
} from "./attacks/sockets.ts";
import { strangers } from "./attacks/strangers.ts";
import { structure } from "./attacks/structure.ts";
import { village } from "./scenes/village.ts";

const quiet: Attack<undefined> = {
  name: "quiet",
  what: "nothing",
  scene: village,
  async run(attacker) {
    await attacker.go();
    attacker.made();
    attacker.answered("nothing");
    await attacker.over;
  },
};

/** Attacks of one scene share its data: an attack that deletes something comes after those that need it. */
export const attacks: readonly Attack<unknown>[] = [
  quiet,
  ...strangers,
  ...connections,
  ...members,
  ...dearestAttacks,
  ...hosts,
  ...backends,
  signingInAgain,
  replays,
  falseResumes,
  bigFrames,
  tinyFrames,
  slowReaders,
  ...structure,
  flapping,
  backups,
  ...crowds,
  startWithDeadLog,
  slowSync,
];

/** Throws an error that lists the attacks when the name is unknown. */
export function attackNamed(name: string): Attack<unknown> {
  const found = attacks.find((attack) => attack.name === name);
  if (!found)
    throw new Error(`there is no attack ${name}; there are ${attacks.map((each) => each.name).join(", ")}`);
  return found;
}
