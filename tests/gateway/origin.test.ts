// Pages of other origins get no socket: the upgrade is refused, with the usual error body and headers.
import { describe, expect, test } from "bun:test";
import { onOneProcess } from "../house/open/engines.ts";
import { RawSocket } from "./raw-socket.ts";

onOneProcess(
  "origins of sockets",
  (house) => {
    const own = () => house().url;
    const foreign: Record<string, () => Record<string, string>> = {
      "another site": () => ({ Origin: "https://evil.example" }),
      null: () => ({ Origin: "null" }),
      "the own name as a prefix": () => ({ Origin: `${own()}.evil.example` }),
      "another port": () => ({ Origin: `http://127.0.0.1:${Number(new URL(own()).port) - 1}` }),
      "a trusted one as a prefix": () => ({ Origin: "https://chat.example.evil.example" }),
      "no Origin, but a browser that says cross-site": () => ({ "Sec-Fetch-Site": "cross-site" }),
    };
    describe("are refused:", () => {
      for (const [what, headers] of Object.entries(foreign)) {
        for (const path of ["/ws", "/api/v1/ws"]) {
          test(`${what}, at ${path}, even with a good cookie`, async () => {
            const alice = await house().person("alice");
            const { answer } = await RawSocket.open(
              own(),
              { ...headers(), Cookie: `app_session=${alice.token}` },
              path,
            );
            expect(answer.status).toBe(403);
            const body = JSON.parse(answer.body);
            expect(body).toEqual({
              error: expect.any(String),
              code: "untrusted_origin",
              request_id: expect.any(String),
            });
            expect(answer.headers.get("x-request-id")).toBe(body.request_id);
            expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
            expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
            expect(answer.headers.get("x-frame-options")).toBe("DENY");
            expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
            expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
            expect(answer.headers.get("cache-control")).toBe("no-store");
          });
        }
      }
    });

    test("the own origin, with https too, as a proxy in front has it, a trusted one, and none at all are let in", async () => {
      const safely = own().replace("http", "https");
      for (const headers of [{ Origin: own() }, { Origin: safely }, { Origin: "https://chat.example" }, {}]) {
        const raw = await RawSocket.open(own(), headers as Record<string, string>);
        expect(raw.answer.status).toBe(101);
        raw.end();
      }
    });

    test("no compression is agreed on, even when asked for", async () => {
      const raw = await RawSocket.open(own(), { "Sec-WebSocket-Extensions": "permessage-deflate" });
      expect(raw.answer.headers.get("sec-websocket-extensions")).toBeNull();
      raw.end();
    });
  },
  { TRUSTED_ORIGINS: "https://chat.example" },
);
