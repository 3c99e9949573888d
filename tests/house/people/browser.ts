// A person's browser in tests: keeps the challenge's cookie and a key, and goes through both passkey ceremonies.
import {
  Authenticator,
  type CreationOptions,
  type Lies,
  type RequestOptions,
} from "../../doubles/authenticator.ts";
import { type Answer, type Loose, send, type TestPerson } from "./people.ts";

interface Host {
  readonly url: string;
  /** The origin that the host's pages give; by default `url`. */
  readonly publicUrl?: string;
}

interface Begun<Options> {
  cookie: string;
  publicKey: Options;
}

const path = "/auth/webauthn";

export class TestBrowser {
  readonly #host: Host;
  readonly key: Authenticator;

  constructor(host: Host, counts = true) {
    this.#host = host;
    this.key = new Authenticator(host.publicUrl ?? host.url, counts);
  }

  async beginRegistration(person: TestPerson): Promise<Begun<CreationOptions>> {
    return begun(await person.post<{ publicKey: CreationOptions }>(`${path}/register/begin`));
  }

  async beginLogin(): Promise<Begun<RequestOptions>> {
    const answer = await this.post<{ publicKey: RequestOptions }>("login/begin");
    return begun(answer);
  }

  /** Goes through a whole registration; `lies` are the false parts of the authenticator's response. */
  async register(person: TestPerson, lies: Lies = {}, more: Record<string, unknown> = {}) {
    const { cookie, publicKey } = await this.beginRegistration(person);
    return this.finishRegistration(person, cookie, { ...this.key.create(publicKey, lies), ...more });
  }

  finishRegistration(
    person: TestPerson,
    cookie: string,
    body: unknown,
    headers: Record<string, string> = {},
  ) {
    return this.post<{ id: string; name: string }>("register/finish", body, {
      Authorization: `Bearer ${person.token}`,
      Cookie: cookie,
      ...headers,
    });
  }

  async login(lies: Lies = {}) {
    const { cookie, publicKey } = await this.beginLogin();
    return this.finishLogin(cookie, this.key.get(publicKey, lies));
  }

  finishLogin(cookie: string, body: unknown) {
    return this.post<{ id: string }>("login/finish", body, { Cookie: cookie });
  }

  post<T = Loose>(step: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return send<T>(this.#host, undefined, "POST", `${path}/${step}`, body, headers);
  }
}

function begun<Options>(answer: Answer<{ publicKey: Options }>): Begun<Options> {
  if (answer.status !== 200) throw new Error(`it did not begin: ${JSON.stringify(answer.body)}`);
  return { cookie: cookieOf(answer), publicKey: answer.body.publicKey };
}

/** Name and value of the cookie that an answer sets. */
export function cookieOf({ headers }: { headers: Headers }): string {
  return (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}
