// Pushes without a push service: delivered to the browser by the debugger, and shown by the page's worker.
import type { CDPSession, Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";

/** A push is delivered again after this many milliseconds without a notification. */
const againMs = 15_000;

/** A script: the notifications that the service worker shows. */
export const notices = "navigator.serviceWorker.ready.then((found) => found.getNotifications())";

/** Delivers payloads to the service worker, already decrypted. */
export class Pushing {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #origin: string;
  readonly #registrationId: string;

  private constructor(page: Page, session: CDPSession, origin: string, registrationId: string) {
    this.#page = page;
    this.#session = session;
    this.#origin = origin;
    this.#registrationId = registrationId;
  }

  static async to(page: Page, origin: string): Promise<Pushing> {
    const session = await page.context().newCDPSession(page);
    const known = Promise.withResolvers<string>();
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) known.resolve(first.registrationId);
    });
    await session.send("ServiceWorker.enable");
    return new Pushing(page, session, origin, await known.promise);
  }

  /** Resolves when the worker tells its pages that it showed the notification. Until then it is delivered again. */
  async push(notice: object): Promise<void> {
    const [origin, registrationId] = [this.#origin, this.#registrationId];
    await this.#page.evaluate(`void (window.wasShown = false, navigator.serviceWorker.addEventListener("message", ({ data }) => {
      if (data.type === "shown") window.wasShown = true;
    }))`);
    let nextAt = 0;
    await until(async () => {
      if (performance.now() >= nextAt) {
        nextAt = performance.now() + againMs;
        const data = JSON.stringify(notice);
        await this.#session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
      }
      return this.#page.evaluate<boolean>("window.wasShown");
    }, "the worker says of nothing that it was shown");
  }
}
