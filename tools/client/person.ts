// A person with a session, who registers and makes calls over HTTP.

import { type Answer, patiently, request } from "./request.ts";
import type { Message } from "./wire.ts";

export interface Person {
  url: string;
  id: string;
  username: string;
  token: string;
}

/** Retries later when refused: the server hashes passwords one after another and has a limited queue. */
export async function register(url: string, username: string, password: string): Promise<Person> {
  const body = {
    username,
    password,
    display_name: username,
    email: `${crypto.randomUUID()}@people.example`,
  };
  return withSession(url, username, await patiently(() => request(url, "POST", "/auth/register", { body })));
}

export function ask(person: Person, method: string, path: string, body?: unknown): Promise<Answer> {
  return request(person.url, method, path, { token: person.token, body });
}

/** Returns the body of the response, trusting that it has the shape of the contract. */
export async function call<T>(person: Person, method: string, path: string, body?: unknown): Promise<T> {
  return (await ask(person, method, path, body)).body as T;
}

/** Posts a message; a retry with the same nonce returns the first one. */
export function say(person: Person, channelId: string, content: string, nonce: string): Promise<Message> {
  return call<Message>(person, "POST", `/channels/${channelId}/messages`, { content, nonce });
}

function withSession(url: string, username: string, answer: Answer): Person {
  const token = answer.headers.get("x-session-token");
  if (token === null) throw new Error(`No X-Session-Token in the answer to ${username}.`);
  return { url, id: (answer.body as { id: string }).id, username, token };
}
