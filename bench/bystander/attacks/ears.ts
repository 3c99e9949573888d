// Listening sockets in the attacked server, so that each event has to be sent to all of them.
import { homeOfPerson } from "../../load/addresses.ts";
import { signIn } from "../../load/signing-in.ts";
import type { WebSocketConnection } from "../../load/websocket-reader.ts";
import type { Attack, Attacker } from "../attack.ts";

interface Ears {
  /** Index of the listening person. */
  person: number;
  sockets: number;
}

const atOnce = 10;

export async function openEars(attacker: Attacker<unknown>, ears: Ears[]): Promise<WebSocketConnection[]> {
  const open: WebSocketConnection[] = [];
  const handler = { onText: () => {}, onClose: (reason: string) => attacker.answered(reason) };
  for (const { person, sockets } of ears) {
    const { token } = attacker.stage.people[person]!;
    for (let left = attacker.some(sockets); left > 0; left -= atOnce) {
      const each = () => signIn(attacker.target, { token, from: homeOfPerson(person) }, handler);
      open.push(...(await Promise.all(Array.from({ length: Math.min(left, atOnce) }, each))));
    }
  }
  return open;
}

/** Wraps an attack so that these sockets listen during it. */
export function withEars<Facts>(attack: Attack<Facts>, ears: Ears[]): Attack<Facts> {
  return {
    ...attack,
    async run(attacker) {
      const open = await openEars(attacker, ears);
      await attack.run(attacker);
      for (const socket of open) socket.close();
    },
  };
}
