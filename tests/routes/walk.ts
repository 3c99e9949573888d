// Every operation of the house, with an address to call it at.
import type { Operation } from "../../protocol/operation.ts";
import { features } from "../../server/features.ts";
import { nobodysId } from "../house/people/people.ts";

interface Route {
  operation: Operation;
  /** Its path with a fitting value in every placeholder, of things that do not exist. */
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

/** `GET /servers/{id}`: how a person names an operation. */
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
