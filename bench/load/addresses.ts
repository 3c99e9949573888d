// The loopback addresses that clients come from: limits are kept by address, and 127.0.0.0/8 has plenty.

/** One who attacks alone. */
export const stranger = ["127.0.0.2"];

/** Many, each with an address of its own. */
export function crowdOf(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `127.0.${2 + Math.floor(index / 250)}.${1 + (index % 250)}`,
  );
}

/** The people of the small server, at home in a network that no attacker is in. */
export function homeOf(index: number): string {
  return `127.0.1.${1 + index}`;
}

/** The people of the attacked server. */
export function homeOfPerson(index: number): string {
  return `127.0.200.${1 + index}`;
}

/** What Bun and Node.js understand when they connect; Bun's own types do not name it. */
export function comingFrom(address: string | undefined): { localAddress?: string } {
  return address === undefined ? {} : { localAddress: address };
}
