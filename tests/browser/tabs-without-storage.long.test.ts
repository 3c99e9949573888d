// Two tabs of a browser without storage still notify each other of who is signed in.
import { expect, test } from "bun:test";
import { boxOf, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, signIn } from "./scene.ts";

const refused = `
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(globalThis, name, { get() { throw new DOMException("refused", "SecurityError"); } });
`;

inChromium("tabs of a browser that keeps nothing", (scene) => {
  test(
    "somebody signs out in one tab and somebody else signs in: the other tab shows nothing of the former, and theirs once it is loaded again",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const watched = await scene.watched();
      watched.allow(/status of 401/);
      await watched.context.addInitScript(refused);
      const path = `/servers/${server.id}/channels/${general.id}`;
      const page = await watched.page(path, alice);
      const other = await watched.page(path);
      for (const each of [page, other]) await boxOf(each).waitFor();
      await page.getByRole("button", { name: "You", exact: true }).click();
      await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
      for (const each of [page, other])
        await each.getByRole("textbox", { name: "E-mail or username" }).waitFor();
      await eventually(() => other.getByText(alice.username).count()).toBe(0);

      await page.getByRole("textbox", { name: "E-mail or username" }).fill(bob.username);
      await page.getByRole("textbox", { name: "Password", exact: true }).fill(bob.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await boxOf(page).waitFor();
      await other.goto(path);
      await other.getByRole("button", { name: "You", exact: true, description: /bob/ }).waitFor();
      await boxOf(other).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "Bob signs in beside Alice's tab, which becomes his: nothing of hers is shown there, and nothing of hers goes out",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const hers = await alice.makeServer("Alice's own");
      const watched = await scene.watched();
      watched.allow(/status of 401|net::ERR_FAILED/);
      await watched.context.addInitScript(refused);
      const path = `/servers/${server.id}/channels/${general.id}`;
      const page = await watched.page(path, alice);
      await page.getByRole("link", { name: hers.name }).waitFor();
      await page.route("**/messages", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      await write(page, "a secret of Alice's");
      await page.locator("[data-state=pending]").waitFor();
      await boxOf(page).fill("and half of another");

      const other = await watched.page("/login");
      await signIn(other, bob);
      await boxOf(other).waitFor();
      await page.getByRole("button", { name: "You", exact: true, description: /bob/ }).waitFor();
      await boxOf(page).waitFor();
      await eventually(() => boxOf(page).inputValue()).toBe("");
      await eventually(() => page.locator("[data-state]").count()).toBe(0);
      await eventually(() => page.getByRole("link", { name: hers.name }).count()).toBe(0);
      await page.unroute("**/messages");
      await write(page, "here is Bob");
      await page.locator("[data-message-id]").filter({ hasText: "here is Bob" }).waitFor();
      const { body: said } = await alice.get<{ content: string }[]>(`/channels/${general.id}/messages`);
      expect(said.map(({ content }) => content)).toEqual(["here is Bob"]);
      await watched.close();
    },
    journey,
  );
});
