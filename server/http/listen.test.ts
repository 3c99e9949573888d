// Listening when the code that answers fails: the client still gets an answer, and the operator a log line.
import { expect, spyOn, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { Gateway } from "../gateway/gateway.ts";
import { listen } from "./listen.ts";

onEachEngine("a request that fails before it is one", (house) => {
  test("is 500 with its id and nothing else, and the log has the reason under that id", async () => {
    const { house: running } = house().running;
    const logged = spyOn(running.log, "error");
    const gateway = new Gateway(running, running.bus);
    const reason = new Error("the answerer broke");
    const listening = listen(running, gateway, () => Promise.reject(reason));
    try {
      const answer = await fetch(`${running.listeningUrl}/healthz`);
      const requestId = answer.headers.get("x-request-id") ?? "";
      expect(answer.status).toBe(500);
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      const body = await answer.text();
      expect(JSON.parse(body)).toMatchObject({ code: "internal" });
      expect(body).not.toContain(reason.message);
      const lines = logged.mock.calls as unknown[][];
      expect(lines.map(([facts]) => facts)).toEqual([{ request_id: requestId, err: reason }]);
    } finally {
      logged.mockRestore();
      gateway.close("restart");
      await listening.close(1000);
    }
  });
});
