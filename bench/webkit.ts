// Debian's WebKit, the engine of Safari, on a virtual screen and driven by the W3C WebDriver protocol.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../tests/house/machine/port.ts";
import { noting } from "./noting.ts";
import type { PageBrowser, PageWindow } from "./page-window.ts";
import type { Person } from "./people.ts";
import { descendants, mainThreadMs } from "./process-stats.ts";
import { type Program, start, stop } from "./processes.ts";
import { scratchFolder } from "./scratch.ts";
import { WebDriverSession } from "./webdriver.ts";

const driver = "WebKitWebDriver";
const screen = "Xvfb";
const patienceMs = 20_000;
const pollMs = 5;
/** A loaded page answers a script sooner than this, in milliseconds. */
const answerMs = 2000;
const width = 1280;
const height = 800;

/** Returns undefined when WebKit, its driver or the virtual screen is not installed. */
export async function launchWebKit(): Promise<PageBrowser | undefined> {
  if (!Bun.which(driver) || !Bun.which(screen)) return undefined;
  await using started = new AsyncDisposableStack();
  const scratch = started.use(scratchFolder());
  const log = Bun.file(join(scratch.path, "stderr.log"));
  const run = (command: string[], env: Record<string, string> = {}) =>
    started.adopt(start(command, { core: "any", env, stderr: log }), stop);
  const display = await displayOf(run([screen, "-displayfd", "1", "-screen", "0", "1600x1200x24"]));
  const port = await freePort();
  const { pid } = run([driver, `--port=${port}`], {
    ...{ DISPLAY: display, GDK_BACKEND: "x11" },
    // Without a GPU it would compile shaders for an emulated one, and draw no frame for seconds meanwhile.
    WEBKIT_SKIA_ENABLE_CPU_RENDERING: "1",
    ...{ XDG_CACHE_HOME: scratch.path, XDG_DATA_HOME: scratch.path, XDG_CONFIG_HOME: scratch.path },
  });
  const address = `http://127.0.0.1:${port}`;
  await listening(address);
  const all = started.move();
  return {
    open: (origin, person) => WebKitWindow.open({ address, pid }, origin, person),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Returns the display name: the screen picks a free number, and prints it once it is ready. */
async function displayOf({ stdout }: Program): Promise<string> {
  let said = "";
  for await (const part of stdout) {
    said += new TextDecoder().decode(part);
    if (said.endsWith("\n")) return `:${said.trim()}`;
  }
  throw new Error(`${screen} ended before it was ready`);
}

async function listening(address: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await fetch(`${address}/status`).catch(() => undefined))?.ok) {
    if (performance.now() > end) throw new Error(`${driver} is not ready after ${patienceMs / 1000} s`);
    await Bun.sleep(50);
  }
}

interface Driver {
  address: string;
  pid: number;
}

class WebKitWindow implements PageWindow {
  readonly #session: WebDriverSession;
  readonly #origin: string;
  readonly #driverId: number;

  private constructor(session: WebDriverSession, origin: string, driverId: number) {
    this.#session = session;
    this.#origin = origin;
    this.#driverId = driverId;
  }

  static async open({ address, pid }: Driver, origin: string, { token }: Person): Promise<WebKitWindow> {
    const session = await WebDriverSession.open(address, { pageLoadStrategy: "none" });
    const window = new WebKitWindow(session, origin, pid);
    // The window's frame has a size of its own.
    await session.resize(width, height);
    const [inner, outer] = await session.evaluate<[number, number]>("[innerHeight, outerHeight]");
    await session.resize(width, height + outer - inner);
    await window.#go("/icon-192.png");
    await session.addCookie("app_session", token);
    return window;
  }

  async visit(path: string, selector: string): Promise<number> {
    await this.#go(path);
    return this.attached(selector);
  }

  /** Navigates, and resolves as soon as scripts run in the new page. */
  async #go(path: string): Promise<void> {
    await this.#session.evaluate("window.__left = true");
    await this.#session.visit(this.#origin + path);
    const end = performance.now() + patienceMs;
    // A script in the old document may never answer.
    while (!(await this.#session.evaluate<boolean>("!window.__left", answerMs).catch(() => false))) {
      if (performance.now() > end) throw new Error(`${path} did not open`);
      await Bun.sleep(pollMs);
    }
    await this.#session.evaluate(`(() => { ${noting} })()`);
  }

  attached(selector: string): Promise<number> {
    return this.#session.evaluate(`__await(${JSON.stringify(selector)})`);
  }

  async click(selector: string): Promise<void> {
    const [x, y] = await this.#session.evaluate<[number, number]>(`(() => {
      const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return [Math.round(x + width / 2), Math.round(y + height / 2)];
    })()`);
    await this.#session.click(x, y);
  }

  press(key: string): Promise<void> {
    return this.#session.press(key);
  }

  wheel(deltaY: number): Promise<void> {
    return this.#session.wheel(700, 400, deltaY);
  }

  async keys(): Promise<number[]> {
    const taken = await this.#session.evaluate<number[]>("__keys()");
    return taken.sort((one, other) => other - one);
  }

  /** WebKit reports no times, so this is the kernel's figure for the main threads of its pages, painting included. */
  async busyMs(): Promise<number> {
    return descendants(this.#driverId)
      .filter((pid) => readFileSync(`/proc/${pid}/comm`, "latin1").startsWith("WebKitWebProces"))
      .reduce((all, pid) => all + mainThreadMs(pid), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }
}
