// The loopback addresses that clients come from: limits count by address, and 127.0.0.0/8 has plenty.

/** The address of an attacker who works alone. */
export const stranger = ["127.0.0.2"];

/** The addresses of many attackers. */
export function crowdOf(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `127.0.${2 + Math.floor(index / 250)}.${1 + (index % 250)}`,
  );
}

/** The addresses of the bystanders, in a network that no attacker is in. */
export function homeOf(index: number): string {
  return `127.0.1.${1 + index}`;
}

/** The addresses of the attacked server's members. */
export function homeOfPerson(index: number): string {
  return `127.0.200.${1 + index}`;
}

/** An option of connecting that Bun and Node.js understand, but that Bun's types lack. */
export function comingFrom(address: string | undefined): { localAddress?: string } {
  return address === undefined ? {} : { localAddress: address };
}
