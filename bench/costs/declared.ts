// The operations of this checkout by name, for the costs that they declare.
import type { Operation } from "../../protocol/operation.ts";
import { features } from "../../server/features.ts";

export const operationsByName: ReadonlyMap<string, Operation> = new Map(
  features.flatMap(({ operations }) => operations.map(({ operation }) => [operation.name, operation])),
);
