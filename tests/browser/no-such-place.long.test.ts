// Addresses of nothing: the page says so itself, without asking the server for impossible ids.
import { expect, test } from "bun:test";
import { postponed } from "./postponed.ts";
import { inChromium, journey, rowOf } from "./scene.ts";

inChromium("an address that leads to nothing", (scene) => {
  test(
    "a message's address whose end is no id opens the channel, says that the message is not there, and asks for nothing",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const message = await bob.say(general.id, "The last word.");
      const path = `/servers/${server.id}/channels/${general.id}`;
      const watched = await scene.watched();
      // The message on the page goes after six seconds.
      await watched.context.addInitScript(postponed(6000));
      const refused: string[] = [];
      watched.context.on("response", (answer) => {
        if (answer.status() >= 400) refused.push(answer.url());
      });
      const page = await watched.page(`${path}/messages/never-was`, alice);
      await rowOf(page, message).waitFor();
      await page.getByText("That message is not there any more.").waitFor();
      // A link in the page works as well.
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`${path}/messages/7`)})`);
      await page.getByText("That message is not there any more.").waitFor();
      await rowOf(page, message).waitFor();
      await page.goto("/servers/none/channels/none/messages/none");
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      expect(refused).toEqual([]);
      await watched.close();
    },
    journey,
  );
});
