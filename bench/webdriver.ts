// A session of the W3C WebDriver protocol, limited to the commands that the bench needs.

type Json = Record<string, unknown>;

/** The timeout of a command in milliseconds, above the driver's own limit of 30 s for a script. */
const longMs = 60_000;

export class WebDriverSession implements AsyncDisposable {
  readonly #address: string;

  private constructor(address: string) {
    this.#address = address;
  }

  /** Connects to the driver at this origin, which starts the browser that the capabilities describe. */
  static async open(origin: string, capabilities: Json): Promise<WebDriverSession> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = await ask<{ sessionId: string }>("POST", `${origin}/session`, body);
    return new WebDriverSession(`${origin}/session/${sessionId}`);
  }

  async visit(url: string): Promise<void> {
    await this.#post("/url", { url });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#post("/window/rect", { width, height });
  }

  /** Sets a cookie. WebDriver allows this only for the host of the open page. */
  async addCookie(name: string, value: string): Promise<void> {
    await this.#post("/cookie", { cookie: { name, value, path: "/" } });
  }

  /**
   * Evaluates an expression in the page. Returns its value, awaited if it is a promise. Rejects after `patienceMs`
   * milliseconds: a document that is navigated away from may never answer.
   */
  evaluate<Value>(expression: string, patienceMs = longMs): Promise<Value> {
    const script = `
      const done = arguments[arguments.length - 1];
      Promise.resolve(${expression}).then(done, (error) => done(String(error)));`;
    return this.#post<Value>("/execute/async", { script, args: [] }, patienceMs);
  }

  async press(key: string): Promise<void> {
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: key }));
    await this.#act({ type: "key", id: "keyboard", actions });
  }

  async click(x: number, y: number): Promise<void> {
    const buttons = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
    await this.#act({
      type: "pointer",
      id: "mouse",
      actions: [{ type: "pointerMove", duration: 0, x, y }, ...buttons],
    });
  }

  async wheel(x: number, y: number, deltaY: number): Promise<void> {
    const actions = [{ type: "scroll", x, y, deltaX: 0, deltaY, duration: 0 }];
    await this.#act({ type: "wheel", id: "wheel", actions });
    // Releases the wheel: otherwise an identical second turn would be no change, and scroll nothing.
    await ask("DELETE", `${this.#address}/actions`);
  }

  async #act(source: Json): Promise<void> {
    await this.#post("/actions", { actions: [source] });
  }

  #post<Value>(path: string, body: Json, patienceMs?: number): Promise<Value> {
    return ask<Value>("POST", this.#address + path, body, patienceMs);
  }

  /** Ends the session and its browser. */
  async [Symbol.asyncDispose](): Promise<void> {
    await ask("DELETE", this.#address);
  }
}

async function ask<Value>(method: string, url: string, body?: Json, patienceMs = longMs): Promise<Value> {
  const signal = AbortSignal.timeout(patienceMs);
  const response = await fetch(url, { method, signal, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}
