// The page ends where its window does: at each address and with each overlay, with scroll bars that take up space.
import { beforeAll, test } from "bun:test";
import type { Page } from "playwright-core";
import { barsTakeRoom } from "./chromium.ts";
import { boxOf } from "./composing.ts";
import { expectPageEnds, expectPageEndsAt } from "./page-end.ts";
import { addresses, declaredRoutes, type Furnished, somewhere, untilShown } from "./routes.ts";
import { inChromium, journey } from "./scene.ts";

/** A phone, a tablet, a desktop; and windows so low that everything scrollable scrolls. */
const windows = [
  [360, 740],
  [768, 800],
  [1280, 800],
  [1280, 320],
  [640, 320],
] as const;

const last = "said last";

/** Overlays that open over a channel. */
const openers: Record<string, (page: Page) => Promise<void>> = {
  "the switcher": (page) => page.keyboard.press("Control+k"),
  "the sheet of keys": (page) => page.keyboard.press("Control+/"),
  "the emoji": (page) => page.getByRole("button", { name: "Emoji" }).click(),
  // On its first word: a link has the browser's own menu.
  "the menu of a message": (page) =>
    page.getByText(last).click({ button: "right", position: { x: 8, y: 8 } }),
  "somebody's card": (page) => page.getByRole("article").getByRole("button", { name: "bob" }).last().click(),
};

inChromium(
  "the end of the page",
  (scene) => {
    let furnished: Furnished;
    beforeAll(async () => {
      furnished = await somewhere(scene);
      const { alice, bob, server } = furnished;
      // More than low windows have room for.
      for (let i = 0; i < 12; i++)
        await alice.post("/channels", { server_id: server.id, name: `room-${i}`, category: "Rooms" });
      for (let i = 0; i < 12; i++) await bob.say(server.general.id, `line ${i}`);
      // A message of Alice's comes between: Bob's last one begins a group, with his name above it.
      await alice.say(server.general.id, "and then?");
      await bob.say(server.general.id, `${last}: *bread*, \`bread\`, https://bread.example/`);
      // Everything is read: each window opens at the newest messages.
      await alice.post(`/servers/${server.id}/read`);
    });

    for (const route of [...declaredRoutes(), "*"])
      test(
        `nothing scrolls the document at ${route}`,
        async () => {
          const watched = await scene.watched();
          // Signed out; an invite that does not exist; a link that leads nowhere.
          watched.allow(/status of (400|401|404)/);
          const isOutside = ["/login", "/register", "/reset-password", "/invite/:code"].includes(route);
          const page = await watched.page("/", isOutside ? undefined : furnished.alice);
          for (const address of addresses(furnished)[route] ?? []) {
            await page.goto(address);
            await untilShown(page);
            await expectPageEndsAt(page, address, windows);
          }
          await watched.close();
        },
        journey,
      );

    for (const [title, open] of Object.entries(openers))
      test(
        `nor does ${title} over a channel`,
        async () => {
          const { server, alice } = furnished;
          for (const [width, height] of windows) {
            const watched = await scene.watched({ viewport: { width, height } });
            const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
            await page.getByText(last).waitFor();
            await boxOf(page).click();
            await open(page);
            await page.locator("[role=dialog], [role=menu], [role=listbox]").first().waitFor();
            await expectPageEnds(page, `${title} at ${width} × ${height}`);
            await watched.close();
          }
        },
        journey,
      );
  },
  undefined,
  [barsTakeRoom],
);
