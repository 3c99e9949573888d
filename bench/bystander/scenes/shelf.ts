// One uploaded file.
import type { Stage } from "../../people.ts";
import type { Scene } from "../attack.ts";

export const shelf: Scene<{ file: string }> = {
  name: "shelf",
  prepare: async (stage) => ({ file: await upload(stage) }),
};

/** Uploads a file. Returns the name under which it is served. */
export async function upload({ origin, people }: Stage): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob(["What everybody wants to have a part of. ".repeat(20_000)]), "parts.txt");
  const headers = { Authorization: `Bearer ${people[0]!.token}` };
  const response = await fetch(`${origin}/api/v1/upload`, { method: "POST", headers, body: form });
  if (response.status !== 201) throw new Error(`an upload answered ${response.status}`);
  const { url } = (await response.json()) as { url: string };
  return url.slice(url.lastIndexOf("/") + 1);
}
