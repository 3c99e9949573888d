// A connection of the gateway's that leads nowhere: what a test is about it does itself.
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
