// `doctor voice`: checks voice from outside, and reports each problem with its remedy.

import { randomUUID } from "node:crypto";
import { AccessToken } from "livekit-server-sdk";
import { apiPrefix } from "../../protocol/operation.ts";
import { askByHttp, textOf } from "../../server/ask-by-http.ts";
import { isLoopback, urlFromHere } from "../../server/caller/addresses.ts";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding } from "../../server/house/check.ts";
import { askRunning, type CommandAnswer } from "../../server/operator/socket.ts";
import { withoutSecrets } from "../../server/secrets.ts";
import { httpForm } from "./addresses.ts";
import { trialPrefix } from "./noticing.ts";
import { roomClient } from "./room-client.ts";
import type { Trial } from "./trial.ts";

type LiveKit = NonNullable<Config["livekit"]>;

interface Findings {
  wrong: string[];
  right: string[];
}

const patienceMs = 5000;
const clockToleranceMs = 30_000;
/** The first bytes of a body suffice to recognize the program that responds. */
const mostRead = 16 * 1024;

const about = "voice";

/** Checks whether the media service responds and accepts the key. */
export async function lookAtVoice({ livekit }: Config): Promise<Finding> {
  if (!livekit) return notSetUp();
  const { wrong, right }: Findings = { wrong: [], right: [] };
  await checkMedia(livekit, { wrong, right });
  return finding(about, wrong.length === 0 ? "ok" : "wrong", [...wrong, ...right].join("\n"));
}

/** The full check, including LiveKit's webhooks, for which it creates a room that nobody sees. */
export async function lookCloserAtVoice(config: Config): Promise<Finding> {
  if (!config.livekit) return notSetUp();
  const { ok, lines } = await checkVoice(config);
  return finding(about, ok ? "ok" : "wrong", lines.join("\n"));
}

function notSetUp(): Finding {
  return finding(about, "off", "Not set up (LIVEKIT_URL).");
}

/** `ok` if there is no problem; otherwise the first lines name the problems. */
export async function checkVoice(config: Config): Promise<{ ok: boolean; lines: string[] }> {
  const { livekit } = config;
  if (!livekit) {
    const line =
      "Voice is not set up: set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET to those of a LiveKit server.";
    return { ok: false, lines: [line] };
  }
  const findings: Findings = { wrong: [], right: [] };
  checkAddress(livekit, config.publicUrl, findings);
  const isMediaWell = await checkMedia(livekit, findings);
  await checkWebhook(config, livekit, findings);
  if (isMediaWell) await tryWebhooks(config, livekit, findings);
  return { ok: findings.wrong.length === 0, lines: [...findings.wrong, ...findings.right] };
}

function checkAddress({ url }: LiveKit, publicUrl: string | undefined, { wrong }: Findings): void {
  const { pathname, hostname, protocol } = new URL(httpForm(url));
  if (pathname !== "/") {
    wrong.push(
      `LIVEKIT_URL has the path ${pathname}, but LiveKit answers at the root of its host: leave the path out.`,
    );
  }
  if (publicUrl?.startsWith("https:") && protocol === "http:" && !isLoopback(hostname)) {
    wrong.push(
      "LIVEKIT_URL is not encrypted, but PUBLIC_URL is: browsers refuse that. Put LiveKit behind TLS and use wss://.",
    );
  }
}

/** Returns whether the media service can be called. */
async function checkMedia({ url, key, secret }: LiveKit, findings: Findings): Promise<boolean> {
  const token = new AccessToken(key, secret, { ttl: 60 });
  token.addGrant({ roomList: true });
  const address = new URL("/twirp/livekit.RoomService/ListRooms", httpForm(url)).href;
  const answer = await call(address, "application/json", `Bearer ${await token.toJwt()}`);
  const { wrong, right } = findings;
  if ("reason" in answer) {
    wrong.push(
      `LiveKit does not answer at ${url} (LIVEKIT_URL): ${answer.reason}. See that it runs, and that its port can be reached from here.`,
    );
    return false;
  }
  checkClock(answer.date, findings);
  if (answer.status === 200 && answer.body.includes("rooms")) {
    right.push(`LiveKit at ${url} answers, and takes the key and the secret.`);
    return true;
  }
  if (answer.status === 401) {
    wrong.push(
      "LiveKit refuses the key or the secret: LIVEKIT_API_KEY and LIVEKIT_API_SECRET must be one pair of `keys` in its configuration. A clock that is off has the same effect.",
    );
  } else {
    wrong.push(
      `Something answers at ${url} (LIVEKIT_URL), with status ${answer.status}, but not as LiveKit does: see that the address is LiveKit's own, and that a proxy in between lets POST through to /twirp/.`,
    );
  }
  return false;
}

function checkClock(date: string | undefined, { wrong, right }: Findings): void {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return;
  const off = theirs - Date.now();
  if (Math.abs(off) <= clockToleranceMs) {
    right.push("The clocks of Hearth and LiveKit agree.");
    return;
  }
  const direction = off > 0 ? "ahead of" : "behind";
  wrong.push(
    `LiveKit's clock is ${Math.round(Math.abs(off) / 1000)} s ${direction} ours, so tokens may be refused on both sides: set both machines by NTP.`,
  );
}

async function checkWebhook(config: Config, { url }: LiveKit, { wrong, right }: Findings): Promise<void> {
  const address = `${config.publicUrl ?? urlFromHere(config.host, config.port)}${apiPrefix}/voice/webhook`;
  const isLocal = isLoopback(new URL(address).hostname);
  if (isLocal && !isLoopback(new URL(httpForm(url)).hostname)) {
    wrong.push(
      config.publicUrl
        ? `PUBLIC_URL is ${config.publicUrl}, which LiveKit cannot reach from another machine: set it to the address that people use.`
        : "PUBLIC_URL is not set, so it cannot be told whether LiveKit reaches Hearth: set it to the address that people use.",
    );
  }
  const answer = await call(address, "application/webhook+json");
  if ("reason" in answer) {
    wrong.push(
      `Hearth's webhook does not answer at ${address}: ${answer.reason}. See that Hearth runs, and that PUBLIC_URL leads to it.`,
    );
  } else if (answer.status === 401 && answer.body.includes('"bad_signature"')) {
    right.push(
      `Hearth's webhook answers at ${address}. LiveKit's configuration must name this address in webhook.urls, and the key in webhook.api_key.`,
    );
  } else {
    wrong.push(
      `What answers at ${address} is not Hearth's webhook (status ${answer.status}): see that PUBLIC_URL leads to this Hearth, and that a proxy in between lets POST through.`,
    );
  }
}

/** Creates and deletes a room of its own, invisible to users, and asks the running server whether a webhook came. */
async function tryWebhooks(config: Config, livekit: LiveKit, findings: Findings): Promise<void> {
  const room = `${trialPrefix}${randomUUID()}`;
  // Asked first, so that the server is waiting before a webhook comes.
  const asked = askRunning(config.dataDir, ["voice-webhooks", room]).catch((error: Error) => error);
  const client = roomClient(livekit, patienceMs);
  try {
    await client.createRoom({ name: room, emptyTimeout: 10, maxParticipants: 1 });
    await client.deleteRoom(room);
  } catch (error) {
    findings.wrong.push(
      `LiveKit does not let the doctor make a room to try its webhooks with: ${withoutSecrets((error as Error).message).replace(/(?<![.\s])[.\s]+$/, "")}.`,
    );
    return;
  }
  report(config, await asked, findings);
}

function report(config: Config, answer: CommandAnswer | Error | undefined, { wrong, right }: Findings): void {
  const untried = "so it was not tried whether LiveKit's webhooks come";
  if (answer === undefined) {
    right.push(`No Hearth runs on ${config.dataDir} (DATA_DIR), ${untried}: start it, then ask again.`);
    return;
  }
  if (answer instanceof Error || !answer.ok) {
    const reason = answer instanceof Error ? answer.message : answer.lines.join(" ");
    wrong.push(`The running Hearth could not be asked, ${untried}: ${reason} Start it with these settings.`);
    return;
  }
  const trial = answer.lines[0] as Trial;
  if (trial === "came") {
    right.push("LiveKit's webhooks come: the one of a room that was made for this has arrived.");
  } else if (trial === "nothing") {
    wrong.push(
      "LiveKit's webhooks do not come: a room was made and deleted, and Hearth was not told. LiveKit's configuration must name Hearth's webhook in webhook.urls and the key in webhook.api_key, and LiveKit must reach that address. Until then joins and leaves show up to 30 s late.",
    );
  } else {
    wrong.push(
      `LiveKit's webhooks come, but Hearth refuses them: ${trial}. LiveKit's webhook.api_key must name the key of LIVEKIT_API_KEY, its \`keys\` must hold the secret of LIVEKIT_API_SECRET, and the clocks must agree.`,
    );
  }
}

type Called = { status: number; date: string | undefined; body: string } | { reason: string };

async function call(address: string, type: string, authorization?: string): Promise<Called> {
  try {
    const headers = { "Content-Type": type, ...(authorization && { Authorization: authorization }) };
    const given = { method: "POST", headers, body: "{}", withinMs: patienceMs, bodyMax: mostRead };
    const answer = await askByHttp(address, { ...given, mostBody: () => ({ first: mostRead }) });
    return { status: answer.status, date: answer.headers.get("date"), body: textOf(answer) };
  } catch (error) {
    return { reason: (error as Error).message.replace(/(?<![.\s])[.\s]+$/, "") };
  }
}
