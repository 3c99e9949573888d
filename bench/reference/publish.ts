// Reference: the minimal cost of fan-out. Publishes each posted body unchanged to every socket.

const ready = JSON.stringify({ type: "READY", data: { servers: [{ id: "reference", seq: 0 }] } });

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request, server) {
    if (request.method === "POST") {
      server.publish("everybody", await request.text());
      return new Response(null, { status: 204 });
    }
    return server.upgrade(request) ? undefined : new Response(null, { status: 400 });
  },
  websocket: {
    idleTimeout: 120,
    open(socket) {
      socket.subscribe("everybody");
      socket.send(ready);
    },
    message() {},
  },
});

console.log(`Reference is ready at ${server.url.origin}`);
