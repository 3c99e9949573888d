// An invite's page where it is known late who asks, and signing out to be somebody else.
import { expect, test } from "bun:test";
import { eventually } from "./eventually.ts";
import { held, later } from "./held.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("an invite's page", (scene) => {
  test(
    "tells a browser without storage nothing of signing in before it is known who asks, and leads nobody back later",
    async () => {
      const { alice, server } = await scene.twoPeople("The loft");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(`if (location.pathname === "/invite/${code}")
        Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("refused", "SecurityError"); } });`);
      const carol = await scene.person("carol");
      let previews = 0;
      await watched.context.route("**/preview", (route) => {
        previews += 1;
        return route.fallback();
      });
      const page = await watched.page(`/invite/${code}`, carol);
      await page.getByRole("button", { name: "Join", exact: true }).waitFor();
      expect(previews).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "that a tab remembers for signing in is forgotten once somebody who signed in elsewhere sees it",
    async () => {
      const { alice, server } = await scene.twoPeople("The attic");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 401/);
      const page = await watched.page(`/invite/${code}`);
      const wanted = () => page.evaluate("sessionStorage.getItem('hearth.wanted')");
      await page.getByRole("link", { name: "Create an account" }).waitFor();
      await eventually(wanted).toBe(`/invite/${code}`);
      const carol = await scene.person("carol");
      const other = await watched.page("/", carol);
      const isIn = JSON.stringify({ userId: carol.id, at: Date.now() });
      await other.evaluate(`localStorage.setItem("hearth.signed-in", ${JSON.stringify(isIn)})`);
      await page.getByRole("button", { name: "Join", exact: true }).waitFor();
      await eventually(wanted).toBe(null);
      await watched.close();
    },
    journey,
  );

  test(
    "says that another account is on its way, and once why it is not",
    async () => {
      const { alice, server } = await scene.twoPeople("The barn");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await scene.watched(withoutWorker);
      watched.allow(/ERR_FAILED/);
      const page = await watched.page(`/invite/${code}`, await scene.person("carol"));
      const leaving = await held(page, "**/auth/logout");
      const other = page.getByRole("button", { name: "Use another account" });
      await other.click();
      await leaving.asked;
      await other.and(page.locator("[aria-busy=true]")).waitFor();
      await other.click({ force: true });
      await leaving.fail();
      await page
        .getByRole("dialog")
        .getByText(/could not be asked to end your session/)
        .waitFor();
      await page.evaluate(later);
      expect(await page.getByRole("dialog").count()).toBe(1);
      expect(await other.getAttribute("aria-busy")).toBe(null);
      await watched.close();
    },
    journey,
  );
});

inChromium("signing out", (scene) => {
  test(
    "twice asks once, where it does not work",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker, /ERR_FAILED/);
      const signOut = async () => {
        const leaving = await held(page, "**/auth/logout");
        await page.getByRole("button", { name: "You", exact: true }).click();
        await page.getByRole("menuitem", { name: "Sign out" }).click();
        await leaving.asked;
        return leaving.fail;
      };
      const [first, second] = [await signOut(), await signOut()];
      await first();
      await second();
      await page
        .getByRole("dialog")
        .getByText(/could not be asked to end your session/)
        .waitFor();
      await page.evaluate(later);
      expect(await page.getByRole("dialog").count()).toBe(1);
      await watched.close();
    },
    journey,
  );
});
