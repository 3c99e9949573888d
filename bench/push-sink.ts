// A push service that accepts every push immediately, and counts them.
import { certificate, key } from "../tests/doubles/push-certificate.ts";

interface PushSink extends Disposable {
  port: number;
  taken(): number;
}

export function openPushSink(): PushSink {
  let count = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key, cert: certificate },
    async fetch(request) {
      await request.arrayBuffer();
      count++;
      return new Response(null, { status: 201 });
    },
  });
  return { port: server.port ?? 0, taken: () => count, [Symbol.dispose]: () => void server.stop(true) };
}
