// The operations of this checkout by name, for what their calls count as.
import type { Operation } from "../../protocol/operation.ts";
import { features } from "../../server/features.ts";

export const operationsByName: ReadonlyMap<string, Operation> = new Map(
  features.flatMap(({ operations }) => operations.map(({ operation }) => [operation.name, operation])),
);
