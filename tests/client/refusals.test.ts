// How a client handles refusals, from Hearth or from a proxy that answers in its place.
import { afterAll, expect, spyOn, test } from "bun:test";
import { addressOf, CallError, calls } from "../../client/call.ts";
import { getMe } from "../../features/accounts/calls.ts";
import { deleteMessage, updateMessage } from "../../features/messages/calls.ts";

const answers: Record<string, Response> = {
  "a proxy's page": new Response("<h1>Slow down</h1>", { status: 429, headers: { "Retry-After": "7" } }),
  "null in place of a body": new Response("null", { status: 503, headers: { "Retry-After": "3" } }),
  "words of another shape": Response.json({ error: { code: 12 } }, { status: 502 }),
  "a date to come back": new Response("", {
    status: 503,
    headers: { "Retry-After": "Mon, 23 Nov 2026 10:00:00 GMT" },
  }),
  "Hearth's own": Response.json({ error: "Wait.", code: "rate_limited", retry_after: 2 }, { status: 429 }),
  "a page of somebody else's in place of what was asked for": new Response("<h1>Welcome to this hotel</h1>"),
};
const expected: Record<string, [message: string, code: string, retryAfter: number | undefined]> = {
  "a proxy's page": ["", "internal", 7],
  "null in place of a body": ["", "internal", 3],
  "words of another shape": ["", "internal", undefined],
  "a date to come back": ["", "internal", undefined],
  "Hearth's own": ["Wait.", "rate_limited", 2],
  "a page of somebody else's in place of what was asked for": ["", "unreachable", undefined],
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

/** Records the calls of fetch while `run` runs, each answered with `answer`. */
async function asking(answer: () => Response, run: () => Promise<unknown>) {
  const asked: [address: string, how: RequestInit][] = [];
  const fetching = spyOn(globalThis, "fetch").mockImplementation((async (
    address: string,
    how: RequestInit,
  ) => {
    asked.push([address, how]);
    return answer();
  }) as never);
  try {
    await run();
    return asked;
  } finally {
    fetching.mockRestore();
  }
}

test("what deletes is done though its page goes, and nothing else; 204 brings nothing; a body says what it is", async () => {
  const params = { messageID: "a/b?c" };
  const asked = await asking(
    () => new Response(null, { status: 204 }),
    async () => {
      expect(await deleteMessage({ params })).toBeUndefined();
      await updateMessage({ params, body: { content: "x" } });
    },
  );
  const address = `${calls.origin}/api/v1/messages/a%2Fb%3Fc`;
  expect(asked).toEqual([
    [address, { method: "DELETE", credentials: "same-origin", keepalive: true }],
    [
      address,
      {
        ...{ method: "PATCH", credentials: "same-origin", keepalive: false },
        body: '{"content":"x"}',
        headers: { "Content-Type": "application/json" },
      },
    ],
  ]);
});

test("an address holds what was asked for, and nothing of what was left open", () => {
  const query = { q: "a&b=c", after: undefined, limit: 5 };
  expect(addressOf("/servers/{id}/members", { params: { id: "é" }, query })).toBe(
    `${calls.origin}/api/v1/servers/%C3%A9/members?q=a%26b%3Dc&limit=5`,
  );
});

test("that nobody is signed in is told where the session is looked after; another refusal is not", async () => {
  const told: string[] = [];
  const { onSignedOut } = calls;
  for (const [status, code] of [
    [401, "unauthenticated"],
    [401, "invalid_credentials"],
    [403, "forbidden"],
  ] as const) {
    calls.onSignedOut = () => told.push(code);
    await asking(
      () =>
        Response.json({ error: "No.", code, request_id: "r" }, { status, headers: { "X-Request-Id": "r" } }),
      () => getMe().catch((error) => expect(error).toMatchObject({ status, code, requestId: "r" })),
    );
  }
  calls.onSignedOut = onSignedOut;
  expect([told, calls.lastRequestId]).toEqual([["unauthenticated"], "r"]);
});

test("a call that its caller gave up fails as such, and not as one that the server did not get", async () => {
  const stop = new AbortController();
  stop.abort();
  const given = await getMe({}, stop.signal).catch((error: unknown) => error);
  expect(given).not.toBeInstanceOf(CallError);
  expect(() => CallError.from(given)).toThrow();
});
