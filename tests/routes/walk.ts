// Every operation of the server, with a path to call it at.
import type { Operation } from "../../protocol/operation.ts";
import { features } from "../../server/features.ts";
import { nobodysId } from "../house/people/people.ts";

interface Route {
  operation: Operation;
  /** The operation's path, with a well-formed value of a thing that does not exist in every placeholder. */
  unknownPath: string;
}

export const routes: readonly Route[] = features.flatMap((feature) =>
  feature.operations.map(({ operation }) => ({ operation, unknownPath: fill(operation.path) })),
);

export function operationNamed(name: string): Operation {
  const found = routes.find((route) => route.operation.name === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found.operation;
}

/** The method and path of an operation, as in `GET /servers/{id}`. */
export function titleOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

export function placeholders(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

function fill(path: string): string {
  return path
    .replaceAll("{code}", "nocode")
    .replaceAll("{emoji}", ":wave:")
    .replace(/\{\w+\}/g, nobodysId);
}
