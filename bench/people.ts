// Creates the fixtures over HTTP: people, and one server with its channel.

export interface Person {
  username: string;
  token: string;
}

export interface Stage {
  origin: string;
  serverId: string;
  channelId: string;
  people: Person[];
}

const registeringAtOnce = 4;

/**
 * Registers people called `name` and a number, and a server: the first owns it, the others join by invite. Its channel
 * is `general`.
 */
export async function setStage(origin: string, count: number, name = "person"): Promise<Stage> {
  const people: Person[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: registeringAtOnce }, async () => {
      while (next < count) {
        const index = next++;
        people[index] = await register(origin, `${name}${index}`);
      }
    }),
  );
  const [owner, ...others] = people;
  const server = await call<{ id: string }>(origin, owner!, "POST", "/servers", { name: "The bench" });
  const { code } = await call<{ code: string }>(origin, owner!, "POST", "/invites", { server_id: server.id });
  for (const person of others) await call(origin, person, "POST", `/invites/${code}/join`);
  const channels = await call<{ id: string; name: string }[]>(
    origin,
    owner!,
    "GET",
    `/channels?server_id=${server.id}`,
  );
  const general = channels.find((channel) => channel.name === "general");
  if (!general) throw new Error("a new server has no channel called general");
  return { origin, serverId: server.id, channelId: general.id, people };
}

/** Makes one API call, which must succeed. */
export async function call<Answer>(
  origin: string,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${person.token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

async function register(origin: string, username: string): Promise<Person> {
  const response = await fetch(`${origin}/api/v1/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      email: `${username}@bench.invalid`,
      username,
      display_name: username,
      password: `the password of ${username}`,
    }),
  });
  const token = response.headers.get("X-Session-Token");
  if (response.status !== 201 || !token) {
    throw new Error(`registering ${username} answered ${response.status}: ${await response.text()}`);
  }
  return { username, token };
}
