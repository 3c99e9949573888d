// Requests of a page that wait for their answer until the test lets them go on.
import type { Page, Route } from "playwright-core";

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
