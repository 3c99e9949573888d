// A double of a Redis of a version that cannot be installed beside this machine's: greets and reports its version.
import { createServer } from "node:net";

export async function startOldRedis(version: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      const text = bytes.toString().toUpperCase();
      const info = `redis_version:${version}\r\n`;
      // Each command is an array of strings, and gets one reply.
      for (const command of text.split(/(?=\*\d+\r\n\$)/).filter(Boolean))
        socket.write(command.includes("\r\nINFO\r\n") ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
