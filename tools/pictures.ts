// Takes the screenshots of docs/pictures: `npm run pictures`; options choose states, folder and appearance.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launchChromium } from "../tests/browser/chromium.ts";
import { temporaryFolder } from "../tests/house/machine/folder.ts";
import { startServer } from "../tests/house/machine/process.ts";
import { contextFor, isPhone, type Look, photograph, untilStill } from "./pictures/camera.ts";
import { type State, states, talkIn } from "./pictures/states.ts";
import { buildTown, type Town } from "./pictures/town.ts";

const usage = `npm run pictures -- [STATE …] [--to FOLDER] [--theme light,dark,contrast] [--width 1280,390]
  [--height 800] [--language de] [--density compact] [--text-size 20] [--mirrored]
States: ${states.map(({ name }) => name).join(", ")}`;

const heights = { wide: 800, narrow: 844 };

interface Wish {
  wanted: readonly State[];
  looks: readonly Look[];
  to: string;
}

process.exitCode = await main();

async function main(): Promise<number> {
  let wish: Wish;
  try {
    wish = readWish(Bun.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    return 2;
  }
  mkdirSync(wish.to, { recursive: true });
  const flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];
  const browser = await launchChromium(...flags, "--autoplay-policy=no-user-gesture-required");
  const town = await buildTown();
  try {
    await takeAll(browser, town, wish);
  } finally {
    await browser.close();
    await town.end();
  }
  const bytes = readdirSync(wish.to).reduce((sum, name) => sum + statSync(join(wish.to, name)).size, 0);
  console.log(`${wish.to}: ${(bytes / 1e6).toFixed(2)} MB in all.`);
  return 0;
}

function readWish(args: string[]): Wish {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{ to: text, theme: text, width: text, height: text, language: text, density: text },
      "text-size": text,
      mirrored: { type: "boolean" },
    },
  });
  const unknown = positionals.filter((name) => !states.some((state) => state.name === name));
  if (unknown.length > 0) throw new Error(`There is no state ${unknown.join(", ")}.`);
  const themes = (values.theme ?? "light,dark").split(",") as Look["theme"][];
  const widths = (values.width ?? "1280,390").split(",").map(Number);
  const looks = themes.flatMap((theme) =>
    widths.map((width) => ({
      ...{ theme, width },
      height: Number(values.height ?? (width < 720 ? heights.narrow : heights.wide)),
      density: values.density === "compact" ? ("compact" as const) : undefined,
      language: values.language === "de" ? ("de" as const) : ("en" as const),
      textSize: values["text-size"] === undefined ? undefined : Number(values["text-size"]),
      isMirrored: values.mirrored === true,
    })),
  );
  const wanted = states.filter(({ name, isAside }) =>
    positionals.length === 0 ? !isAside : positionals.includes(name),
  );
  return { wanted, looks, to: values.to ?? "docs/pictures" };
}

async function takeAll(browser: Browser, town: Town, { wanted, looks, to }: Wish): Promise<void> {
  const talkers = town.hasVoice ? await seatTalkers(browser, town) : [];
  const empty = wanted.some(({ isEmpty }) => isEmpty) ? await openEmpty() : undefined;
  try {
    for (const look of looks)
      for (const state of wanted) {
        const path = join(to, `${state.name}-${look.theme}-${look.width}.webp`);
        const url = state.isEmpty && empty ? empty.url : town.url;
        const size = await take({ browser, town, state, look, url, path });
        console.log(`${path}: ${(size / 1000).toFixed(0)} kB`);
      }
  } finally {
    for (const context of talkers) await context.close();
    await empty?.end();
  }
}

interface Shot {
  browser: Browser;
  town: Town;
  state: State;
  look: Look;
  url: string;
  path: string;
}

async function take({ browser, town, state, look, url, path }: Shot): Promise<number> {
  const tokens = { reader: town.reader.token, newcomer: town.newcomer.token, nobody: undefined };
  if (state.unread !== undefined) await town.unread(state.unread);
  const context = await contextFor(browser, look, tokens[state.who]);
  try {
    const page = await context.newPage();
    await page.goto(url + state.address(town));
    await untilStill(page);
    await state.act?.({ page, town, isPhone: isPhone(look) });
    await untilStill(page);
    return await photograph(page, path);
  } catch (error) {
    throw new Error(`${state.name}, ${look.theme}, ${look.width}: ${(error as Error).message}`);
  } finally {
    await context.close();
  }
}

/** Opens the pages of two people who stay in the voice room all the while. */
async function seatTalkers(browser: Browser, town: Town) {
  const look = { theme: "light", width: 900, height: 600, language: "en" } as const;
  const others = { density: undefined, textSize: undefined, isMirrored: false };
  const voice = states.find(({ name }) => name === "voice");
  return Promise.all(
    [town.people.mei, town.people.priya].map(async ({ token }) => {
      const context = await contextFor(browser, { ...look, ...others }, token);
      const page = await context.newPage();
      await page.goto(town.url + voice?.address(town));
      await talkIn({ page });
      return context;
    }),
  );
}

async function openEmpty() {
  const folder = temporaryFolder();
  const running = await startServer({ settings: { DATA_DIR: folder.path, AVATAR_URL: "off" } });
  return {
    url: running.url,
    end: async () => {
      await running.stop();
      folder.remove();
    },
  };
}
