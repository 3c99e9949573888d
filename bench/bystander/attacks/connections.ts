// Unauthenticated connections that never finish a request: half-sent, endless, broken off, silent.
import type { Socket } from "bun";
import { crowdOf, homeOfPerson, stranger } from "../../load/addresses.ts";
import { openRaw } from "../../load/raw-socket.ts";
import { openWebSocket, type WebSocketConnection } from "../../load/websocket-reader.ts";
import { rawRequest } from "../../raw-requests.ts";
import type { Attack, Attacker } from "../attack.ts";
import { village } from "../scenes/village.ts";

type Nobody = Attacker<undefined>;

const atOnce = 50;
const piece = Buffer.alloc(64 * 1024, "x");

export const connections = [
  byNobody("half-sent", "2,000 half-sent requests, 20 addresses", sendHalf),
  byNobody("silent-sockets", "5,000 sockets that never sign in", (attacker) =>
    keepSilent(attacker, stranger),
  ),
  byNobody("silent-sockets-crowd", "5,000 sockets that never sign in, 100 addresses", (attacker) =>
    keepSilent(attacker, crowdOf(100)),
  ),
  byNobody("wrong-sockets", "sockets that sign in with unknown tokens, 20 addresses", knock),
  byNobody("endless-bodies", "16 endless bodies to 401, 404, /healthz", sendForEver),
  byNobody("pipelined", "8 connections that never wait for an answer", pipeline),
  byNobody("broken-uploads", "400 uploads broken off", breakOff),
];

function byNobody(name: string, what: string, run: Attack<undefined>["run"]): Attack<undefined> {
  return { name, what, scene: village, run };
}

async function sendHalf(attacker: Nobody): Promise<void> {
  const half =
    "POST /api/v1/auth/login/password HTTP/1.1\r\nHost: hearth\r\nContent-Length: 1000\r\nX-Wait: ";
  const sockets: Socket[] = [];
  await attacker.go();
  await sideBySide(attacker, attacker.some(2000), async (index) => {
    const socket = await openRaw(attacker.target, crowdOf(20)[index % 20]!, {
      onClose: () => attacker.answered("closed"),
    });
    attacker.made();
    attacker.answered("open");
    socket.write(half);
    sockets.push(socket);
  });
  while (!attacker.isOver()) {
    await Bun.sleep(1000);
    for (const socket of sockets) socket.write("x");
  }
  for (const socket of sockets) socket.terminate();
}

async function keepSilent(attacker: Nobody, from: string[]): Promise<void> {
  const sockets: WebSocketConnection[] = [];
  await attacker.go();
  await sideBySide(attacker, attacker.some(5000), async (index) => {
    attacker.made();
    sockets.push(await openSocket(attacker, from[index % from.length]!, attacker.answered));
    attacker.answered("open");
  });
  await attacker.over;
  for (const socket of sockets) socket.close();
}

async function knock(attacker: Nobody): Promise<void> {
  const from = crowdOf(20);
  await attacker.go();
  await sideBySide(attacker, Number.POSITIVE_INFINITY, async (index) => {
    attacker.made();
    const gone = Promise.withResolvers<void>();
    const socket = await openSocket(attacker, from[index % from.length]!, (reason) => {
      attacker.answered(reason);
      gone.resolve();
    });
    socket.send(JSON.stringify({ type: "AUTH", data: { token: `hs_${Bun.randomUUIDv7()}` } }));
    await Promise.race([gone.promise, attacker.over]);
    socket.close();
  });
}

function openSocket({ target }: Nobody, from: string, onClose: (reason: string) => void) {
  return openWebSocket(target.host, target.port, "/ws", { onText: () => {}, onClose }, from);
}

async function sendForEver(attacker: Nobody): Promise<void> {
  const { origin } = attacker;
  const paths = ["/api/v1/servers", "/api/v1/nothing", "/nothing", "/healthz"];
  await attacker.go();
  const sockets = await Promise.all(
    Array.from({ length: attacker.some(16) }, async (_, index) => {
      attacker.made();
      const fill = pouring(attacker, piece);
      const socket = await openRaw(attacker.target, stranger[0]!, {
        onData: (bytes) => attacker.answered(bytes.toString("latin1", 9, 12)),
        onDrain: fill,
        onClose: () => attacker.answered("closed"),
      });
      const head = rawRequest(origin, "POST", paths[index % paths.length]!).trimEnd();
      socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`);
      fill(socket);
      return socket;
    }),
  );
  await attacker.over;
  for (const socket of sockets) socket.terminate();
}

async function pipeline(attacker: Nobody): Promise<void> {
  const requests = Buffer.from(rawRequest(attacker.origin, "GET", "/api/v1/servers").repeat(500));
  await attacker.go();
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const fill = pouring(attacker, requests, attacker.made);
      const socket = await openRaw(attacker.target, stranger[0]!, {
        onData: (bytes) => attacker.answered(bytes.toString("latin1", 0, 5) === "HTTP/" ? "begun" : "more"),
        onDrain: fill,
        onClose: () => attacker.answered("closed"),
      });
      fill(socket);
      return socket;
    }),
  );
  await attacker.over;
  for (const socket of sockets) socket.terminate();
}

/** Writes the same bytes over and over, as fast as the socket takes them. Calls `onWhole` after each full pass. */
function pouring(attacker: Nobody, bytes: Buffer, onWhole?: () => void): (socket: Socket) => void {
  let at = 0;
  return (socket) => {
    while (!attacker.isOver()) {
      at += Math.max(0, socket.write(bytes.subarray(at)));
      if (at < bytes.length) return;
      at = 0;
      onWhole?.();
    }
  };
}

async function breakOff(attacker: Nobody): Promise<void> {
  const { people } = attacker.stage;
  const begin =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\nContent-Type: application/zip\r\n\r\n';
  await attacker.go();
  await sideBySide(attacker, attacker.some(400), async (index) => {
    attacker.made();
    const person = people[index % people.length]!;
    const from = homeOfPerson(index % people.length);
    const socket = await openRaw(attacker.target, from, {
      onData: (bytes) => attacker.answered(bytes.toString("latin1", 9, 12)),
      onClose: () => {},
    });
    const head = rawRequest(attacker.origin, "POST", "/api/v1/upload", person).trimEnd();
    socket.write(
      `${head}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${20 * 1024 * 1024}\r\n\r\n${begin}PK\x03\x04`,
    );
    socket.write(piece);
    await Bun.sleep(200);
    socket.terminate();
    attacker.answered("broken off");
  });
}

/** Runs attempts concurrently until all are done or the time is over. Failed attempts are counted, too. */
async function sideBySide(attacker: Nobody, count: number, each: (index: number) => Promise<void>) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count && !attacker.isOver()) {
        await each(next++).catch((error) =>
          attacker.answered(error instanceof Error ? error.message : `${error}`),
        );
      }
    }),
  );
}
