// A separate machine for one process: a network namespace with a virtual cable that can be unplugged. Needs root.
import { execFileSync, spawnSync } from "node:child_process";

interface FarMachine extends Disposable {
  /** Its address, and the address of this machine from there. */
  address: string;
  here: string;
  /** The command prefix that runs a program on that machine. */
  under: string[];
  /** Unplugs the cable: packets get lost without an error. */
  vanish(): void;
  comeBack(): void;
}

/** The test uses only the addresses of the two ends of its own cable. */
const network = `10.213.${process.pid % 250}`;
const [here, address] = [`${network}.1`, `${network}.2`];
const name = `hearth-${process.pid}`;
const cable = { here: `hh${process.pid}`, there: `ht${process.pid}` };

/** Returns undefined where namespaces cannot be made. */
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
      // Removing the namespace, and with it one end, removes the cable.
      remove();
    },
  };
}

function ip(words: string): void {
  execFileSync("ip", words.split(" "), { stdio: "ignore" });
}
