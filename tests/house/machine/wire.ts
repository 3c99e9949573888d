// A fake connection of the gateway: each test supplies the methods that it is about.
import type { Wire } from "../../../server/gateway/socket.ts";

export function wireWith(own: Partial<Wire>): Wire {
  return {
    send: (frame) => frame.length,
    cork: (send) => send(),
    close() {},
    subscribe() {},
    unsubscribe() {},
    getBufferedAmount: () => 0,
    terminate() {},
    ...own,
  };
}
