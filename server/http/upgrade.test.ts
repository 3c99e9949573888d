// The data that a socket takes over from its upgrade request.
import { describe, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { sessionCookie } from "../caller/authentication.ts";
import type { Socket } from "../gateway/socket.ts";
import { upgrade } from "./upgrade.ts";

onEachEngine("a request that becomes a socket", (house) => {
  function socketOf(cookie: string): Socket | undefined {
    let made: Socket | undefined;
    const request = new Request(`${house().url}/ws`, {
      headers: { Upgrade: "websocket", "Sec-WebSocket-Version": "13", Cookie: cookie },
    });
    const facts = { requestId: "", clientIp: () => "192.0.2.1", operation: "gateway" };
    const answer = upgrade(
      house().running.house,
      request,
      (socket) => {
        made = socket;
        return true;
      },
      facts,
    );
    expect(answer).toBeUndefined();
    return made;
  }

  test("is counted by the client's address, as far as proxies name it", () => {
    expect(socketOf("theme=dark")?.address).toBe("192.0.2.1");
  });

  describe("keeps of its cookies", () => {
    test("the session's", () => {
      expect(socketOf(`theme=dark; ${sessionCookie}=hs_hers`)?.cookie).toBe("hs_hers");
    });

    test("none, when two of them say who it is", () => {
      expect(socketOf(`${sessionCookie}=hs_hers; ${sessionCookie}=hs_his`)?.cookie).toBeUndefined();
    });

    test("no more than a token has, as thousands of strangers may wait", () => {
      expect(socketOf(`${sessionCookie}=${"x".repeat(16_000)}`)?.cookie?.length).toBeLessThanOrEqual(64);
    });
  });
});
