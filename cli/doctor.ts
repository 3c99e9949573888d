// `hearth doctor`: checks everything that a running Hearth needs, and says what is wrong and what to do about it.
import { checkVoice } from "../features/voice/doctor.ts";
import { CannotStart } from "../server/cannot-start.ts";
import { type Config, readConfig } from "../server/config/config.ts";
import { checkPort, checkPublicUrl } from "./check-address.ts";
import {
  checkConnections,
  checkDatabase,
  checkFolder,
  checkIntegrity,
  checkPictures,
  checkRunning,
} from "./check-data.ts";
import { checkGifs, checkMail, checkPush } from "./check-extras.ts";
import { type Finding, finding } from "./finding.ts";

/** Exit code 1 when a check found something wrong. */
export async function doctor(settings: readonly string[], voiceOnly: boolean): Promise<number> {
  let config: Config;
  try {
    config = readConfig(settings);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return told([finding("settings", "wrong", error.message)]);
  }
  if (voiceOnly) return told([await voice(config)]);
  const [running, server] = await checkRunning(config);
  return told([
    finding("settings", "ok", "They can be read; hearth settings shows them."),
    checkFolder(config),
    running,
    await checkDatabase(config, server),
    ...(config.databaseUrl ? [await checkConnections(config.databaseUrl)] : []),
    await checkIntegrity(config),
    await checkPictures(config),
    await checkPort(config, server),
    ...(await checkPublicUrl(config, server)),
    await checkMail(config),
    await checkGifs(config),
    config.livekit ? await voice(config) : finding("voice", "off", "Not set up (LIVEKIT_URL)."),
    checkPush(config),
  ]);
}

async function voice(config: Config): Promise<Finding> {
  const { ok, lines } = await checkVoice(config);
  return finding("voice", ok ? "ok" : "wrong", lines.join("\n"));
}

function told(all: readonly (Finding | undefined)[]): number {
  const findings = all.filter((each) => each !== undefined);
  for (const { about, state, says } of findings) {
    const [first, ...more] = says.split("\n");
    console.log(`${state.padEnd(5)}  ${about.padEnd(14)}  ${first}`);
    for (const line of more) console.log(" ".repeat(23) + line);
  }
  return findings.some(({ state }) => state === "wrong") ? 1 : 0;
}
