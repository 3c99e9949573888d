// The command line arguments of a replay.

import { parseArgs } from "node:util";

export const USAGE =
  "npm run replay -- FOLDER [--listeners N] [--cut] [--in-flight N] [--url URL | --database-url URL]";

export interface Arguments {
  folder: string;
  listeners: number;
  cut: boolean;
  atOnce: number;
  /** The URL of a running server; without it the replay starts its own. */
  url: string | undefined;
  databaseUrl: string | undefined;
}

export function readArguments(args: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      listeners: { type: "string", default: "20" },
      cut: { type: "boolean", default: false },
      "in-flight": { type: "string", default: "64" },
      url: { type: "string" },
      "database-url": { type: "string" },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new Error("Name one folder of logs.");
  return {
    folder,
    listeners: count("--listeners", values.listeners, 0, 1_000),
    cut: values.cut,
    atOnce: count("--in-flight", values["in-flight"], 1, 250),
    url: values.url?.replace(/\/+$/, ""),
    databaseUrl: values["database-url"],
  };
}

function count(name: string, value: string, lowest: number, highest: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= lowest && number <= highest) return number;
  throw new Error(`${name} must be a whole number from ${lowest} to ${highest}, not ${value}.`);
}
