// The doubles that mean ill, in a process of their own: says where they are in one line of JSON, and ends with its input.
import { openBackendsInTurn } from "../tests/doubles/backends-in-turn.ts";
import { MisbehavingHosts } from "../tests/doubles/misbehaving-hosts.ts";
import type { Doubles } from "./bystander/surroundings.ts";

const asked = process.argv.slice(2);
const doubles: Doubles = {};
if (asked.includes("hosts")) doubles.hostPorts = JSON.stringify((await MisbehavingHosts.open()).ports);
if (asked.includes("backends")) doubles.settings = await openBackendsInTurn();
console.log(JSON.stringify(doubles));
process.stdin.on("end", () => process.exit(0)).resume();
