// Whatever people write, it is shown as text: nothing of it is executed, and nothing is asked for by it.
import { expect, test } from "bun:test";
import { upload } from "../house/files.ts";
import { inChromium, patienceMs } from "./scene.ts";

inChromium("hostile text", (scene) => {
  test(
    "Whatever is written anywhere, it is text: in messages, names, files, webhooks, servers and channels",
    async () => {
      const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
      const evil = `"><img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>`;
      const server = await alice.makeServer(`S ${evil}`.slice(0, 100));
      await alice.bringIn(server.id, bob);
      await bob.patch("/auth/me", { display_name: `B ${evil}`.slice(0, 64) });
      await alice.patch(`/channels/${server.general.id}`, { name: `c ${evil}`.slice(0, 100) });
      const file = await upload(bob, `${evil.replaceAll("/", "_").slice(0, 60)}.txt`, "text");
      await bob.say(server.general.id, "", { attachments: [file.url] });
      for (const text of hostile) await bob.say(server.general.id, text);
      const webhook = (
        await alice.post<{ id: string; token: string }>(`/channels/${server.general.id}/webhooks`, {
          name: `W ${evil}`.slice(0, 80),
        })
      ).body;
      await alice.post(`/webhooks/${webhook.id}/${webhook.token}`, { content: evil });
      const watched = await scene.watched();
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await page.getByRole("article").last().getByText(evil, { exact: true }).waitFor();
      const wrong = `[...document.querySelectorAll("main a[href], main img, main iframe, main script, main svg a, main [onerror], main [onclick], main style")].filter((each) => !/^(https?:|mailto:|\\/)/.test(each.getAttribute("href") ?? each.getAttribute("src") ?? "x")).map((each) => each.outerHTML)`;
      expect(await page.evaluate<string[]>(wrong)).toEqual([]);
      expect(await page.evaluate<unknown>("globalThis.hurt")).toBeUndefined();
      await watched.close();
    },
    patienceMs,
  );
});

const hostile = [
  "<script>globalThis.hurt=1</script>",
  "<img src=x onerror=globalThis.hurt=1>",
  "[x](javascript:globalThis.hurt=1)",
  "[x](JaVaScRiPt:globalThis.hurt=1)",
  "[x](java&#115;cript:globalThis.hurt=1)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![x](javascript:globalThis.hurt=1)",
  '![x](https://x.invalid/a.png" onerror="globalThis.hurt=1)',
  "<javascript:globalThis.hurt=1>",
  '[x](https://x.invalid "onmouseover=globalThis.hurt=1")',
  "`<img src=x onerror=globalThis.hurt=1>`",
  '```"><img src=x onerror=globalThis.hurt=1>\n</code></pre><script>globalThis.hurt=1</script>\n```',
  "<svg onload=globalThis.hurt=1>",
  "<style>@import 'https://x.invalid'</style>",
  "||<img src=x onerror=globalThis.hurt=1>||",
  "> <iframe src=javascript:globalThis.hurt=1>",
  "{{constructor.constructor('globalThis.hurt=1')()}}",
  "\u202egpj.exe",
];
