// People in tests: they have names, and do everything through the real API.

import type { Channel, SeenChannel } from "../../../features/channels/contract.ts";
import type { Message } from "../../../features/messages/contract.ts";
import type { Role } from "../../../features/roles/contract.ts";
import type { Server } from "../../../features/servers/contract.ts";
import { heardBeside } from "./beside.ts";
import { lookThroughAnswer } from "./canary.ts";
import { Ear, type ResumePoint } from "./ear.ts";

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The JSON body of an answer, untyped. */
export type Loose = { readonly [key: string]: Loose };

interface Host {
  readonly url: string;
  /** The set-up code that the first account needs, if any. */
  readonly setupCode?: string | undefined;
}

/** A valid id that belongs to nothing. */
export const nobodysId = "01890000-0000-7000-8000-000000000000";

/** A caller of the API with their own token. */
export abstract class TestCaller {
  abstract call<T = Loose>(method: string, path: string, body?: unknown): Promise<Answer<T>>;

  get<T = Loose>(path: string): Promise<Answer<T>> {
    return this.call<T>("GET", path);
  }
  post<T = Loose>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.call<T>("POST", path, body);
  }
  put<T = Loose>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.call<T>("PUT", path, body);
  }
  patch<T = Loose>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.call<T>("PATCH", path, body);
  }
  delete<T = Loose>(path: string): Promise<Answer<T>> {
    return this.call<T>("DELETE", path);
  }

  async say(channelId: string, content: string, more: Record<string, unknown> = {}): Promise<Message> {
    const answer = await this.post<Message>(`/channels/${channelId}/messages`, { content, ...more });
    if (answer.status > 201) throw new Error(`it could not be said: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

let made = 0;

export class TestPerson extends TestCaller {
  readonly host: Host;
  readonly id: string;
  readonly username: string;
  readonly email: string;
  password: string;
  token: string;

  private constructor(
    host: Host,
    id: string,
    username: string,
    email: string,
    password: string,
    token: string,
  ) {
    super();
    this.host = host;
    this.id = id;
    this.username = username;
    this.email = email;
    this.password = password;
    this.token = token;
  }

  static async register(host: Host, name: string, password = "correct horse battery"): Promise<TestPerson> {
    const username = `${name}_${++made}`;
    const email = `${username}@people.example`;
    const { setupCode: setup_code } = host;
    const body = { username, email, display_name: name, password, ...(setup_code && { setup_code }) };
    const answer = await send<{ id: string }>(host, undefined, "POST", "/auth/register", body);
    if (answer.status !== 201) throw new Error(`${name} could not register: ${JSON.stringify(answer.body)}`);
    const token = answer.headers.get("x-session-token") ?? "";
    return new TestPerson(host, answer.body.id, username, email, password, token);
  }

  call<T = Loose>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    return send<T>(this.host, this.token, method, path, body);
  }

  async makeServer(name = "Home"): Promise<Server & { general: Channel; everyone: Role }> {
    const server = (await this.post<Server>("/servers", { name })).body;
    const [general] = (await this.get<SeenChannel[]>(`/channels?server_id=${server.id}`)).body;
    const [everyone] = (await this.get<Role[]>(`/servers/${server.id}/roles`)).body;
    if (!general || !everyone) throw new Error("a new server has a channel and a role");
    return { ...server, general: asTold(general), everyone };
  }

  /** Invites each of the guests and lets them join. */
  async bringIn(serverId: string, ...guests: TestPerson[]): Promise<void> {
    const { body } = await this.post<{ code: string }>("/invites", { server_id: serverId });
    for (const guest of guests) {
      const joined = await guest.post(`/invites/${body.code}/join`);
      if (joined.status !== 200) throw new Error(`${guest.username} could not join`);
    }
  }

  /** Creates a role and gives it to a member in addition to those they hold. */
  async giveRole(serverId: string, to: TestPerson, permissions: number, position = 1): Promise<Role> {
    const role = (
      await this.post<Role>(`/servers/${serverId}/roles`, { name: "some role", permissions, position })
    ).body;
    const held = (await this.get<Role[]>(`/servers/${serverId}/members/${to.id}/roles`)).body;
    const given = await this.put(`/servers/${serverId}/members/${to.id}/roles`, {
      role_ids: [...held.map((each) => each.id), role.id],
    });
    if (given.status !== 204) throw new Error(`the role could not be given: ${JSON.stringify(given.body)}`);
    return role;
  }

  /** Listens on the gateway; resolves once READY (or RESUMED) is there. */
  listen(resume?: ResumePoint): Promise<Ear> {
    return Ear.open(this.host.url, this.token, resume);
  }
}

/** A channel as events carry it, without what its reader may do there. */
export function asTold({ permissions: _, ...channel }: SeenChannel): Channel {
  return channel;
}

/** Makes one API call, and waits until every process has received its events. Sends texts and forms as they are. */
export async function send<T = Loose>(
  host: Host,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const { url } = host;
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !(body instanceof FormData) && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: goesAsItIs(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  lookThroughAnswer(method, path, text);
  await heardBeside(url);
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? undefined : isJson(response) ? JSON.parse(text) : text) as T,
  };
}

function goesAsItIs(body: unknown): body is string | FormData {
  return typeof body === "string" || body instanceof FormData;
}

function isJson({ headers }: Response): boolean {
  return /^application\/json\b/.test(headers.get("content-type") ?? "");
}
