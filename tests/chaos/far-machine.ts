// A machine of its own for one process: a network namespace, and a cable to it that can be pulled out. Needs root.
import { execFileSync, spawnSync } from "node:child_process";

interface FarMachine extends Disposable {
  /** Its address, and that of this machine as it sees it. */
  address: string;
  here: string;
  /** The command line that runs a program on that machine. */
  under: string[];
  /** Pulls the cable out: packets get lost, and nobody is told. */
  vanish(): void;
  comeBack(): void;
}

/** Only addresses of the two ends of the cable are used, which are this test's own. */
const network = `10.213.${process.pid % 250}`;
const [here, address] = [`${network}.1`, `${network}.2`];
const name = `hearth-${process.pid}`;
const cable = { here: `hh${process.pid}`, there: `ht${process.pid}` };

/** Undefined where namespaces cannot be made. */
export function makeFarMachine(): FarMachine | undefined {
  if (process.getuid?.() !== 0 || spawnSync("ip", ["netns", "add", name]).status !== 0) return undefined;
  const remove = () => void spawnSync("ip", ["netns", "delete", name]);
  process.on("exit", remove);
  try {
    ip(`link add ${cable.here} type veth peer name ${cable.there} netns ${name}`);
    ip(`address add ${here}/30 dev ${cable.here}`);
    ip(`link set ${cable.here} up`);
    for (const each of [
      `address add ${address}/30 dev ${cable.there}`,
      `link set ${cable.there} up`,
      "link set lo up",
    ])
      ip(`-netns ${name} ${each}`);
  } catch {
    remove();
    return undefined;
  }
  return {
    address,
    here,
    under: ["ip", "netns", "exec", name],
    vanish: () => ip(`-netns ${name} link set ${cable.there} down`),
    comeBack: () => ip(`-netns ${name} link set ${cable.there} up`),
    [Symbol.dispose]() {
      process.off("exit", remove);
      // The cable goes with one of its ends.
      remove();
    },
  };
}

function ip(words: string): void {
  execFileSync("ip", words.split(" "), { stdio: "ignore" });
}
