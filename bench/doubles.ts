// Runs the misbehaving test doubles. Prints their addresses as one line of JSON, and exits when its input ends.
import { openBackendsInTurn } from "../tests/doubles/backends-in-turn.ts";
import { MisbehavingHosts } from "../tests/doubles/misbehaving-hosts.ts";
import type { Doubles } from "./bystander/surroundings.ts";

const asked = process.argv.slice(2);
const doubles: Doubles = {};
if (asked.includes("hosts")) doubles.hostPorts = JSON.stringify((await MisbehavingHosts.open()).ports);
if (asked.includes("backends")) doubles.settings = await openBackendsInTurn();
console.log(JSON.stringify(doubles));
process.stdin.on("end", () => process.exit(0)).resume();
