// The loopback addresses of the clients: rate limits count by address, and 127.0.0.0/8 has plenty.

/** The address of a single attacker. */
export const stranger = ["127.0.0.2"];

/** Returns the addresses of `count` attackers. */
export function crowdOf(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `127.0.${2 + Math.floor(index / 250)}.${1 + (index % 250)}`,
  );
}

/** Returns the address of a bystander, in a network without attackers. */
export function homeOf(index: number): string {
  return `127.0.1.${1 + index}`;
}

/** Returns the address of a member of the attacked server. */
export function homeOfPerson(index: number): string {
  return `127.0.200.${1 + index}`;
}

/** A connect option that Bun and Node.js support, but that Bun's types lack. */
export function comingFrom(address: string | undefined): { localAddress?: string } {
  return address === undefined ? {} : { localAddress: address };
}
