// Own pictures in tests: how they are put up, and how anybody fetches them.
import type { TestHouse } from "../open/engines.ts";
import type { Answer, Loose, TestCaller } from "../people/people.ts";
import { type FileContent, formOf } from "./files.ts";

/** A form with a picture, and the square of it that is meant. */
function pictureForm(content: FileContent, square: Readonly<Record<string, unknown>> = {}): FormData {
  const form = formOf("picture", content);
  for (const [name, value] of Object.entries(square)) form.append(name, String(value));
  return form;
}

export function putPicture<T = Loose>(
  who: TestCaller,
  path: string,
  content: FileContent,
  square: Readonly<Record<string, unknown>> = {},
): Promise<Answer<T>> {
  return who.put<T>(path, pictureForm(content, square));
}

/** Fetches an own picture without a session, by the path of its address. */
export function fetchPicture(
  house: TestHouse,
  address: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(house.url + new URL(String(address)).pathname, { headers });
}

/** Returns the address of the same picture in another size. */
export function inSize(address: unknown, side: 64 | 512): string {
  return String(address).replace(".webp", `-${side}.webp`);
}
