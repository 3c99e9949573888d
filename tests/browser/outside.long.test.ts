// Signals outside of the page: the title, the icon, the app badge, and one sound for all tabs.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { noteBadge } from "./app-badge.ts";
import { eventually } from "./eventually.ts";
import { lengthened } from "./postponed.ts";
import { atPlainName, inChromium, journey } from "./scene.ts";
import {
  countsSounds,
  heardIn,
  look,
  lookPlainly,
  untilAnswered,
  untilItSounds,
  untilItSoundsPlainly,
  untilOver,
} from "./sounding.ts";

inChromium("what is seen of the page from outside", (scene) => {
  test(
    "title, icon and number say what calls and what is new; nothing of it stays for who signs out",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople("Ubuntu");
      const watched = await scene.watched();
      watched.allow(/status of 401/);
      await watched.context.addInitScript(noteBadge);
      const page = await watched.page("/settings/profile", alice);
      await says(page, { title: "Profile · Hearth", icon: "/mark.svg", badge: 0 });
      await bob.say(general.id, "hello");
      await says(page, { title: "Profile · Hearth", icon: "/mark-unread.svg", badge: 0 });
      await alice.put(`/channels/${general.id}/notification-settings`, {
        muted_until: "9999-12-31T23:59:59.999Z",
      });
      await says(page, { title: "Profile · Hearth", icon: "/mark.svg", badge: 0 });
      await alice.put(`/channels/${general.id}/notification-settings`, {});
      await bob.say(general.id, `@${alice.username} come`);
      await bob.say(general.id, `@${alice.username} come now`);
      await says(page, { title: "(2) Profile · Hearth", icon: "/mark-mention.svg", badge: 2 });
      await page.goto(`/servers/${server.id}/settings/roles`);
      await says(page, { title: "(2) Roles · Ubuntu", icon: "/mark-mention.svg", badge: 2 });
      await page.goto("/servers/nowhere");
      await says(page, { title: "(2) There is nothing here · Hearth", icon: "/mark-mention.svg", badge: 2 });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(`/servers/${server.id}`);
      await says(page, { title: "(2) Ubuntu · Hearth", icon: "/mark-mention.svg", badge: 2 });

      await alice.post("/auth/logout");
      await page.goto("/");
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await says(page, { title: "Sign in · Hearth", icon: "/mark.svg", badge: 0 });
      await watched.close();
    },
    journey,
  );

  test(
    "of two tabs one sounds, for what one wants to be told of, and none while the reader looks at either",
    async () => {
      const { alice, bob, general } = await scene.twoPeople("Ubuntu");
      const watched = await scene.watched();
      await watched.context.addInitScript(countsSounds);
      // A page on which nothing is marked read.
      const address = "/settings/profile";
      const tabs = [await watched.page(address, alice), await watched.context.newPage()] as const;
      const [one, other] = tabs;
      await other.goto(address);
      for (const tab of tabs) await untilItSounds(tab);
      const untilTold = async (title: string) => {
        for (const tab of tabs) await until(async () => (await tab.title()) === title, `not told: ${title}`);
      };
      await bob.say(general.id, "of no concern");
      await look(one, true);
      await bob.say(general.id, `@${alice.username} while she looks`);
      await untilTold("(1) Profile · Hearth");
      expect(await heardIn(tabs)).toBe(0);
      await look(one, false);
      await bob.say(general.id, `@${alice.username} while she is away`);
      await untilTold("(2) Profile · Hearth");
      await eventually(() => heardIn(tabs)).toBe(1);
      for (const tab of tabs) await untilOver(tab);
      expect(await heardIn(tabs)).toBe(1);
      await watched.close();
    },
    journey,
  );
});

interface Said {
  title: string;
  icon: string;
  badge: number;
}

async function says(page: Page, wanted: Said): Promise<void> {
  let said: Said | undefined;
  const isSo = async () => {
    said = await page.evaluate<Said>(
      `({ title: document.title, icon: document.querySelector("link[rel=icon]").getAttribute("href"), badge: window.badge })`,
    );
    return JSON.stringify(said) === JSON.stringify(wanted);
  };
  await until(isSo, `it does not say ${JSON.stringify(wanted)}`).catch((error) => {
    throw new Error(`${error.message}, but ${JSON.stringify(said)}`);
  });
}

atPlainName("sounds", (scene) => {
  test(
    "none is heard in one tab while another one is looked at, though browsers keep locks from tabs there",
    async () => {
      const { alice, bob, general } = await scene.twoPeople();
      const watched = await scene.watched();
      await watched.context.addInitScript(countsSounds);
      // The time that a tab waits for another's answer, which a busy machine may exceed.
      await watched.context.addInitScript(lengthened([200], 2000));
      const address = "/settings/profile";
      const tabs = [await watched.page(address, alice), await watched.page(address)];
      const [one, other] = tabs as [Page, Page];
      for (const tab of tabs) await untilItSoundsPlainly(tab);
      const untilTold = async (calls: number) => {
        const title = `(${calls}) Profile · Hearth`;
        for (const tab of tabs) await until(async () => (await tab.title()) === title, `not told: ${title}`);
      };
      await lookPlainly(one, true);
      await bob.say(general.id, `@${alice.username} while she looks`);
      await untilTold(1);
      await untilAnswered(other);
      await lookPlainly(one, false);
      await bob.say(general.id, `@${alice.username} while she is away`);
      await untilTold(2);
      await eventually(() => heardIn(tabs)).toBe(1);
      await watched.close();
    },
    journey,
  );
});
