// A double of a DNS server (RFC 1035) that resolves only the names that a test gives it.
import { createSocket } from "node:dgram";
import { getServers, setServers } from "node:dns";
import { isIPv4 } from "node:net";

const headLength = 12;
/** Record types A (four bytes) and AAAA (sixteen). */
const [four, sixteen] = [1, 28];

/** Replaces the system's name servers until it is disposed of. */
export class NameServer {
  /** The addresses of each name, in the order of the answer. */
  readonly names = new Map<string, readonly string[]>();
  readonly #socket = createSocket("udp4");
  readonly #usual = getServers();

  static async open(): Promise<NameServer> {
    const server = new NameServer();
    const socket = server.#socket;
    socket.on("message", (query, { port, address }) => socket.send(server.#answerTo(query), port, address));
    await new Promise<void>((open) => socket.bind(0, "127.0.0.1", open));
    setServers([`127.0.0.1:${socket.address().port}`]);
    return server;
  }

  [Symbol.dispose](): void {
    setServers(this.#usual);
    this.#socket.close();
  }

  #answerTo(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = headLength;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const known = this.names.get(labels.join(".").toLowerCase());
    const addresses = (known ?? []).filter((address) => type === (isIPv4(address) ? four : sixteen));
    const head = Buffer.alloc(headLength);
    query.copy(head, 0, 0, 2);
    // Flags of an answer; NXDOMAIN for an unknown name.
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(addresses.length, 6);
    return Buffer.concat([
      head,
      query.subarray(headLength, at + 5),
      ...addresses.map((each) => recordOf(type, each)),
    ]);
  }
}

/** A record for the name in the question, with a TTL of 0. */
function recordOf(type: number, address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(headLength);
  head.writeUInt16BE(0xc000 | headLength, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [before = [], after = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
