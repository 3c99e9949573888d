// A person of the screenshots' community, who does everything through the public interface.
import { type Answer, type Loose, send, TestCaller } from "../../tests/house/people/people.ts";

interface Host {
  readonly url: string;
}

export class Neighbour extends TestCaller {
  readonly host: Host;
  readonly id: string;
  readonly token: string;
  readonly #scheme: "Bearer" | "Bot";

  constructor(host: Host, id: string, token: string, scheme: "Bearer" | "Bot" = "Bearer") {
    super();
    this.host = host;
    this.id = id;
    this.token = token;
    this.#scheme = scheme;
  }

  static async register(host: Host, username: string, displayName: string): Promise<Neighbour> {
    const body = {
      username,
      email: emailOf(username),
      display_name: displayName,
      password: "a kettle, a lamp and a screwdriver",
    };
    const answer = await send<{ id: string }>(host, undefined, "POST", "/auth/register", body);
    if (answer.status !== 201)
      throw new Error(`${username} could not register: ${JSON.stringify(answer.body)}`);
    return new Neighbour(host, answer.body.id, answer.headers.get("x-session-token") ?? "");
  }

  call<T = Loose>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers = { Authorization: `${this.#scheme} ${this.token}` };
    return send<T>(this.host, undefined, method, path, body, headers);
  }

  /** Like `call`, but throws when the call is refused. */
  async done<T = Loose>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async upload(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const form = new FormData();
    form.append("file", new File([bytes], name, { type }));
    return (await this.done<{ url: string }>("POST", "/upload", form)).url;
  }
}

export function emailOf(username: string): string {
  return `${username}@people.example`;
}
