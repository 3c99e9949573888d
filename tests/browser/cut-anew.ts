// A connection that is cut so that what the page knows is replaced, and not brought up to date.
import type { Watched } from "./watched.ts";

/** Returns a function that cuts the connection; the next one begins with a READY instead of a replay. */
export async function cutAnew({ context }: Watched): Promise<() => void> {
  let cut = () => {};
  await context.routeWebSocket("**/ws", (near) => {
    const far = near.connectToServer();
    near.onMessage((frame) => {
      const { type, data } = JSON.parse(String(frame));
      const { resume: _, ...auth } = data ?? {};
      far.send(type === "AUTH" ? JSON.stringify({ type, data: auth }) : frame);
    });
    cut = () => {
      for (const side of [near, far]) void side.close({ code: 4000 });
    };
  });
  return () => cut();
}
