// Reference: the minimal cost of a page. Answers every GET with the bytes of the last POST.

let page = "";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    if (request.method === "GET") {
      return new Response(page, { headers: { "Content-Type": "application/json" } });
    }
    page = await request.text();
    return new Response(null, { status: 204 });
  },
});

console.log(`Reference is ready at ${server.url.origin}`);
