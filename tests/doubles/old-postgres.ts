// A double of a PostgreSQL version that cannot be installed beside this machine's: accepts logins, reports its version.
import { createServer } from "node:net";

function message(type: string, ...parts: (string | number[] | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const ready = message("Z", "I");
const letIn = Buffer.concat([message("R", [0, 0, 0, 0]), message("K", [0, 0, 0, 7, 0, 0, 0, 7]), ready]);
const text = [0, 0, 0, 25];

/** One row with one text column, whatever the query. */
function rowWith(value: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  return Buffer.concat([
    message("T", [0, 1], "version\0", [0, 0, 0, 0, 0, 0], text, [255, 255, 255, 255, 255, 255, 0, 0]),
    message("D", [0, 1], length, value),
    message("C", "SELECT 1\0"),
    ready,
  ]);
}

export async function startOldPostgres(version: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(letIn);
      socket.on("data", (bytes) => {
        if (bytes.toString("latin1", 0, 1) === "Q") socket.write(rowWith(version));
        else socket.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://hearth:swordfish@127.0.0.1:${port}/hearth`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
