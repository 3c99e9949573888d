// The copy of the description that Schemathesis gets: the cookie as a header, and existing ids where ids are required.
import { kindOf, leftOut, narrowed, neverNull, onlyKnown, spareFor } from "./known.ts";
import type { Stage } from "./stage.ts";

type Schema = Record<string, unknown>;

interface Parameter extends Schema {
  in: string;
  name: string;
  schema?: { properties?: Record<string, Schema>; example?: unknown };
}

interface Described extends Schema {
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, { description: string }>;
}

export interface Description extends Schema {
  paths: Record<string, Record<string, Described>>;
}

/** A pattern of well-formed addresses that lead nowhere. */
const elsewhere = "^https://pictures[.]example/[a-z0-9]{1,20}$";
const nobodysId = "01890000-0000-7000-8000-000000000000";

type Offered = Pick<Stage, "kept" | "spare" | "signed">;

export function copyFor(description: Description, stage: Offered): Description {
  const copy = structuredClone(description);
  delete copy.produces;
  copy.securityDefinitions = { app_session: { type: "apiKey", in: "header", name: "Cookie" } };
  for (const [path, methods] of Object.entries(copy.paths)) {
    for (const operation of Object.values(methods)) {
      makeStrict(operation, description.produces);
      for (const parameter of operation.parameters) {
        if (parameter.in === "body") {
          giveFields(operation.operationId, parameter.schema?.properties ?? {}, stage);
          giveExample(operation.operationId, parameter, stage);
        } else givePlace(path, operation.operationId, parameter, stage);
      }
    }
  }
  return copy;
}

/** Removes the answers that count as failures here, where the server has all the services that it needs. */
function makeStrict(operation: Described, produces: unknown): void {
  const { responses } = operation;
  delete responses.default;
  // Only the push service is missing.
  if (operation.operationId !== "sendTestPush") delete responses["503"];
  delete responses["500"];
  // Swagger 2.0 cannot express that one of several answers has no content, and so no content type.
  if (responses["204"]) delete operation.produces;
  else operation.produces ??= produces;
}

function givePlace(path: string, operationId: string, parameter: Parameter, stage: Offered): void {
  const parts = path.split("/");
  const word = parts[parts.indexOf(`{${parameter.name}}`) - 1] ?? "";
  const own = `${operationId}.${parameter.name}`;
  const kind = kindOf[own] ?? kindOf[parameter.name === "id" ? word : parameter.name];
  const known = thingsFor(own, kind, stage);
  if (known) offer(parameter, onlyKnown.has(parameter.name) ? known : [...known, nobody(known)]);
  else if (parameter.format === "uri") parameter.pattern = elsewhere;
}

function giveFields(operationId: string, properties: Record<string, Schema>, stage: Offered): void {
  for (const [name, property] of Object.entries(properties)) {
    const target = property.type === "array" ? (property.items as Schema) : property;
    const own = `${operationId}.${name}`;
    if (leftOut.has(own)) delete properties[name];
    if (neverNull.has(own)) delete property["x-nullable"];
    const known = thingsFor(own, kindOf[own] ?? kindOf[name], stage);
    const few = narrowed[own] ?? narrowed[name];
    if (few) offer(target, few);
    else if (known) offer(target, onlyKnown.has(name) ? known : [...known, nobody(known)]);
    else if (target.format === "uri") target.pattern = elsewhere;
  }
}

function giveExample(operationId: string, parameter: Parameter, { signed }: Offered): void {
  const found = signed.find(({ operation }) => operation === operationId);
  if (found && parameter.schema) parameter.schema.example = found.body;
}

function thingsFor(own: string, kind: string | undefined, { kept, spare }: Offered): string[] | undefined {
  const ended = spareFor[own];
  if (ended !== undefined) return spare[ended];
  return kind === undefined ? undefined : kept[kind];
}

function offer(schema: Schema, values: readonly (string | number)[]): void {
  for (const word of ["pattern", "format", "minLength", "maxLength"]) delete schema[word];
  schema.enum = schema["x-nullable"] ? [...values, null] : values;
}

/** A value in the form of the known ones that identifies nothing. */
function nobody(known: readonly string[]): string {
  return /^[0-9a-f-]{36}$/.test(known[0] ?? "") ? nobodysId : "nothing";
}
