// Reads the files of deploy/: the services and their settings, with every variable filled in.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const project = join(import.meta.dir, "../..");

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  logging?: { options: Record<string, string> };
  environment?: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  networks?: string[] | Record<string, { ipv4_address?: string; aliases?: string[] }>;
}

export interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
  volumes: Record<string, unknown>;
}

/** The values that an operator would put into `.env`. */
export const variables: Record<string, string> = {
  HEARTH_HOST: "chat.example.org",
  VOICE_HOST: "voice.example.org",
  POSTGRES_PASSWORD: "a".repeat(64),
  REDIS_PASSWORD: "b".repeat(64),
  S3_ACCESS_KEY_ID: "hearth",
  S3_SECRET_ACCESS_KEY: "c".repeat(64),
  LIVEKIT_API_KEY: "hearth",
  LIVEKIT_API_SECRET: "d".repeat(64),
};

const variable = /\$\{(\w+)(?::\?[^}]*)?\}/g;

export function textOf(path: string): string {
  return readFileSync(join(project, path), "utf8");
}

export function filledIn(path: string): string {
  return textOf(path).replace(variable, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`${path} asks for ${name}, which nobody fills in`);
    return value;
  });
}

/** Compose escapes a dollar sign by doubling it. */
export function composeOf(path: string): Compose {
  return Bun.YAML.parse(filledIn(path).replaceAll("$$", "$")) as Compose;
}

/** The names of the variables that a file uses. */
export function askedFor(path: string): string[] {
  return [...new Set(Array.from(textOf(path).matchAll(variable), ([, name]) => `${name}`))];
}

/** Every line `NAME=value`, after the prefix `before`. */
export function pairsIn(text: string, before = ""): Record<string, string> {
  const lines = text.matchAll(new RegExp(`^${before}([A-Z][A-Z0-9_]*)=(.*)$`, "gm"));
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [`${name}`, `${value}`]));
}

/** The services that run Hearth, by name. */
export function hearthsOf({ services }: Compose): [name: string, service: Service][] {
  return Object.entries(services).filter(([, { image }]) => image === "hearth");
}

/** The settings in the image's `ENV`, without PATH. */
export function settingsOfImage(): Record<string, string> {
  const [, words = ""] = /^ENV (.*)$/m.exec(textOf("Dockerfile")) ?? [];
  const { PATH: _, ...settings } = pairsIn(words.replaceAll(" ", "\n"));
  return settings;
}
