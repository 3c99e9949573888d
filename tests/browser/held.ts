// Requests and events of a page that wait until the test lets them go on.
import type { Page, Route } from "playwright-core";
import type { Watched } from "./watched.ts";

/** A script that ends when everything that an answer leads to has been drawn. */
export const later = `new Promise((done) => {
  let frames = 0;
  requestAnimationFrame(function next() {
    if (++frames < 20) requestAnimationFrame(next);
    else done();
  });
})`;

/** Holds the next request to this address; a GET of the same path is none. */
export async function held(page: Page, address: string) {
  const asked = Promise.withResolvers<Route>();
  let isHeld = false;
  await page.route(address, async (route) => {
    if (isHeld || (route.request().method() === "GET" && !address.includes("around")))
      return route.fallback();
    isHeld = true;
    asked.resolve(route);
  });
  const ended = async (end: (route: Route) => Promise<void>) => {
    const route = await asked.promise;
    const over = page.waitForEvent("requestfinished", (request) => request === route.request());
    const failed = page.waitForEvent("requestfailed", (request) => request === route.request());
    await end(route);
    await Promise.race([over, failed]);
  };
  return {
    asked: asked.promise,
    answer: () => ended((route) => route.continue()),
    fail: () => ended((route) => route.abort()),
  };
}

/** Holds the events of a type that come for pages opened later. Returns the function that lets them go. */
export async function heldEvents({ context }: Watched, type: string): Promise<() => void> {
  const waiting: (() => void)[] = [];
  let isOver = false;
  await context.routeWebSocket("**/ws", (near) => {
    near.connectToServer().onMessage((frame) => {
      if (isOver || JSON.parse(String(frame)).type !== type) near.send(frame);
      else waiting.push(() => near.send(frame));
    });
  });
  return () => {
    isOver = true;
    for (const go of waiting.splice(0)) go();
  };
}
