// What a refusal comes to, whoever wrote it: Hearth, or something in between that answers in its place.
import { afterAll, expect, test } from "bun:test";
import { CallError, calls } from "../../client/call.ts";
import { getMe } from "../../features/accounts/calls.ts";

const answers: Record<string, Response> = {
  "a proxy's page": new Response("<h1>Slow down</h1>", { status: 429, headers: { "Retry-After": "7" } }),
  "null in place of a body": new Response("null", { status: 503, headers: { "Retry-After": "3" } }),
  "words of another shape": Response.json({ error: { code: 12 } }, { status: 502 }),
  "a date to come back": new Response("", {
    status: 503,
    headers: { "Retry-After": "Mon, 23 Nov 2026 10:00:00 GMT" },
  }),
  "Hearth's own": Response.json({ error: "Wait.", code: "rate_limited", retry_after: 2 }, { status: 429 }),
};
const expected: Record<string, [message: string, code: string, retryAfter: number | undefined]> = {
  "a proxy's page": ["", "internal", 7],
  "null in place of a body": ["", "internal", 3],
  "words of another shape": ["", "internal", undefined],
  "a date to come back": ["", "internal", undefined],
  "Hearth's own": ["Wait.", "rate_limited", 2],
};

let answering = "";
const server = Bun.serve({ port: 0, fetch: () => answers[answering] ?? new Response("?", { status: 404 }) });
const before = calls.origin;
calls.origin = server.url.origin;
afterAll(async () => {
  calls.origin = before;
  await server.stop(true);
});

for (const name of Object.keys(answers)) {
  test(name, async () => {
    answering = name;
    const refusal = await getMe().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CallError);
    const { message, code, retryAfter } = refusal as CallError;
    expect([message, code, retryAfter] as unknown).toEqual(expected[name]);
  });
}
