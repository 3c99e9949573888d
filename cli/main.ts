// The command line `hearth`: selects a command by the first words. Exit code 1: it failed; 2: it was not understood.
// Each command loads only what it needs: a supervisor runs `hearth ready` every few seconds.
import { readConfig } from "../server/config/config.ts";
import { withoutSecrets } from "../server/secrets.ts";
import { told } from "../server/telemetry/told-error.ts";
import { Misunderstood, type Spoken, wordsAndSettings } from "./words.ts";

/** The command that takes a flag, by flag. */
const flagsOf: Record<string, string> = { "--check": "restore", "--stay": "migrate" };

/** Returns the exit code; undefined when the process keeps running. */
async function run({ words, settings, flags, to, asksForHelp }: Spoken): Promise<number | undefined> {
  const [command, ...rest] = words;
  if (asksForHelp || command === "help" || command === undefined) {
    console.log((await import("./help.ts")).help());
    return command === undefined && !asksForHelp ? 2 : 0;
  }
  for (const flag of flags)
    if (command !== flagsOf[flag]) throw new Misunderstood(`${flag} belongs to hearth ${flagsOf[flag]}.`);
  if (to !== undefined && command !== "blobs" && command !== "migrate")
    throw new Misunderstood("--to belongs to hearth blobs copy and hearth migrate.");
  switch (command) {
    case "serve": {
      none(command, rest);
      const { serve } = await import("../server/serve.ts");
      await serve((await import("../server/features.ts")).features, settings);
      return undefined;
    }
    case "admin":
      return (await import("./admin.ts")).admin(rest, () => readConfig(settings));
    case "blobs":
      return (await import("./blobs.ts")).blobs(rest, to, readConfig(settings));
    case "backup":
      return (await import("./backup.ts")).backup(one(command, rest), readConfig(settings));
    case "restore": {
      const { checkBackup, restore } = await import("./restore.ts");
      const file = one(command, rest);
      return flags.includes("--check")
        ? checkBackup(file, readConfig(settings))
        : restore(file, readConfig(settings));
    }
    case "migrate":
      none(command, rest);
      return (await import("./migrate.ts")).migrate(to, flags.includes("--stay"), readConfig(settings));
    case "doctor":
      if (rest.length > 0 && rest.join(" ") !== "voice")
        throw new Misunderstood("hearth doctor takes no further word but voice.");
      return (await import("./doctor.ts")).doctor(settings, rest[0] === "voice");
    case "ready":
      none(command, rest);
      return (await import("./ready.ts")).ready(readConfig(settings));
    case "settings":
      none(command, rest);
      return (await import("./settings.ts")).showSettings(settings);
    default:
      throw new Misunderstood(`There is no command ${command}.`);
  }
}

function none(command: string, rest: readonly string[]): void {
  if (rest.length > 0)
    throw new Misunderstood(`hearth ${command} takes no further words; settings look like --port 8080.`);
}

function one(command: string, [file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new Misunderstood(`hearth ${command} takes the name of one file; a dash stands for a pipe.`);
  return file;
}

try {
  const code = await run(wordsAndSettings(process.argv.slice(2)));
  if (code !== undefined) process.exit(code);
} catch (error) {
  if (error instanceof Misunderstood) {
    console.error(`${withoutSecrets(error.message)} See hearth help.`);
    process.exit(2);
  }
  console.error(told(error));
  process.exit(1);
}
