// Checks that the GIF provider accepts the key.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding } from "../../server/house/check.ts";
import { askProvider } from "./asking.ts";

export async function checkGifs({ gifs }: Config): Promise<Finding> {
  const about = "GIFs";
  if (!gifs) return finding(about, "off", "Not set up (GIF_API_KEY).");
  const { provider } = gifs;
  const answer = await askProvider(gifs, { words: undefined, limit: 1 });
  if (answer.gifs) return finding(about, "ok", `${provider} takes the key.`);
  return finding(about, "wrong", `GIFs do not work: ${troubleWith(provider, answer.status)}.`);
}

function troubleWith(provider: string, status: number | undefined): string {
  if (status === undefined) return `${provider} does not answer`;
  if (status !== 200) return `${provider} answers with status ${status}; see GIF_API_KEY`;
  return `what answers is not ${provider}; see GIF_PROVIDER and GIF_API_URL`;
}
