// The table of permissions.md, cell by cell: each kind of caller gets its answer, and a refused call leaves no trace.
import { afterAll, beforeAll, expect, type Mock, spyOn, test } from "bun:test";
import { readStateUpdated } from "../../features/read-states/contract.ts";
import { features } from "../../server/features.ts";
import { UnitOfWork } from "../../server/house/unit.ts";
import { outsideServices } from "../house/machine/outside.ts";
import { onEachStore, type TestHouse } from "../house/open/engines.ts";
import { type Answer, nobodysId, send } from "../house/people/people.ts";
import { reachedBy } from "../house/scenes/pictures.ts";
import { MailBox } from "../house/servers/mail-box.ts";
import type { Aim } from "./aims.ts";
import { type Kind, kinds, Stage } from "./stage.ts";
import { type Row, table } from "./table.ts";
import { verdict } from "./verdict.ts";
import { Witness } from "./witness.ts";

const codes: Readonly<Record<string, string>> = {
  "401": "unauthenticated",
  "403": "forbidden",
  "404": "not_found",
  "409": "conflict",
};
const { settings } = outsideServices();
const box = await MailBox.open();
afterAll(() => box.close());

const operations = features.flatMap((feature) => feature.operations.map((handler) => handler.operation));
const routes = operations.map(({ method, path }) => `${method} ${path}`);

test("every endpoint there is stands in the table, once, and nothing else does", () => {
  expect(table.map((row) => row.route).sort()).toEqual(routes.sort());
});

onEachStore("the permission matrix", theMatrix, { ...settings, ...box.settings });

/** Operations on one channel, and on what is in it. */
const inChannels = table.filter(({ route }) =>
  /^\w+ \/(channels\/\{|messages\/\{|voice\/(token|rooms)|webhooks\/\{webhookID\}$)/.test(route),
);

// Members who are kept out of a channel or let in by its overrides get the answers of those whose roles do the same.
onEachStore(
  "the permission matrix of channels with overrides",
  (house) => {
    reachedBy(house);
    theRows(house, inChannels, "overrides");

    test("all operations on channels and messages are among them", () => {
      expect(inChannels.length).toBeGreaterThanOrEqual(24);
    });
  },
  { ...settings, ...box.settings },
);

/** The callers whose requests emitted events; not read-state updates, which come within a second and have no caller. */
function askers({ mock }: Mock<UnitOfWork["emit"]>): string[] {
  const units = (mock.contexts as UnitOfWork[]).filter((_, i) => mock.calls[i]?.[0] !== readStateUpdated);
  return units.map((unit) => unit.caller?.userId ?? "nobody");
}

/** The stage of the rows' tests, and what they have seen. */
interface Seen {
  stage: Stage;
  notFoundBodies: ReadonlySet<string>;
  /** By route, for routes that emitted events: "right" if the first event's caller was the actor, else that caller. */
  askedFor: Readonly<Record<string, string>>;
}

function theRows(house: () => TestHouse, rows: readonly Row[], way: "roles" | "overrides"): Seen {
  const notFoundBodies = new Set<string>();
  const askedFor: Record<string, string> = {};
  const seen = { notFoundBodies, askedFor } as Seen & { notFoundBodies: Set<string> };
  let stage: Stage;
  let witness: Witness;
  let emit: Mock<UnitOfWork["emit"]>;

  beforeAll(async () => {
    // Background work of the server would look like the trace of a call.
    await house().quiet();
    emit = spyOn(UnitOfWork.prototype, "emit");
    stage = await Stage.set(house(), way);
    stage.box = box;
    seen.stage = stage;
    witness = await Witness.call(house(), stage.owner, stage.people.stranger, stage.people.admin);
  });
  afterAll(() => {
    emit.mockRestore();
    stage?.leave();
    return witness?.leave();
  });

  for (const row of rows) {
    test(`${row.route} answers each kind of caller as the table says`, async () => {
      const expected = cellsOf(row);
      await stage.deal(row.needs);
      const answered: Partial<Record<Kind, string>> = {};
      const note = (kind: Kind, answer: Answer<unknown>) => {
        answered[kind] = verdict(answer);
        if (answer.status === 404) notFoundBodies.add(anonymously(answer));
      };

      const refused = kinds.filter((kind) => /^4/.test(expected[kind] ?? ""));
      const aim = await row.aim(stage);
      const trace = await witness.watch(async () => {
        for (const kind of refused) note(kind, await call(row, kind, { ...aim, token: "" }));
      });
      for (const kind of kinds) {
        if (!/^2/.test(expected[kind] ?? "")) continue;
        const aim = await row.aim(stage, kind);
        emit.mockClear();
        note(kind, await call(row, kind, aim));
        const [asked] = askers(emit);
        if (asked !== undefined) askedFor[row.route] = asked === actorOf(row, kind, aim) ? "right" : asked;
      }

      expect(answered).toEqual(expected);
      expect(trace).toEqual({ changed: [], heard: [] });
    });
  }

  function actorOf({ route }: Row, kind: Kind, { token, cookie }: Aim): string {
    const isPublic =
      operations.find(({ method, path }) => `${method} ${path}` === route)?.caller === "public";
    if (isPublic) return "nobody";
    const other = [stage.keeper, stage.spare].find((person) => person.token === token);
    if (token || cookie) return other?.id ?? `it is not known who calls ${route}`;
    return stage.person(kind)?.id ?? "nobody";
  }

  function call(
    row: Row,
    kind: Kind,
    { params = {}, query, body, token, cookie }: Aim,
  ): Promise<Answer<unknown>> {
    const [method = "", pattern = ""] = row.route.split(" ");
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const own = stage.person(kind)?.token;
    const headers: Record<string, string> = cookie ? { Cookie: cookie } : {};
    return send(house(), token || own, method, query ? `${path}?${query}` : path, body, headers);
  }

  return seen;
}

function theMatrix(house: () => TestHouse): void {
  reachedBy(house);
  const seen = theRows(house, table, "roles");

  test("what is emitted knows who asked for it", () => {
    expect(Object.keys(seen.askedFor).length).toBeGreaterThan(20);
    expect(Object.entries(seen.askedFor).filter(([, asked]) => asked !== "right")).toEqual([]);
  });

  test("nobody can tell what they may not know of from what is not there", async () => {
    const { owner } = seen.stage;
    const notFound = new Set(seen.notFoundBodies);
    for (const path of ["servers", "channels", "messages", "users", "invites"]) {
      notFound.add(anonymously(await owner.get(`/${path}/${nobodysId}`)));
    }
    for (const path of ["servers/not-an-id", "channels/42", "messages/%00", "invites/what%20is%20this"]) {
      notFound.add(anonymously(await owner.get(`/${path}`)));
    }
    expect([...notFound]).toHaveLength(1);
  });

  test("who is not signed in learns nothing of a call's shape: 401 comes before 400 and 404", async () => {
    const answers: Record<string, string> = {};
    for (const { method, path, caller } of operations) {
      if (caller === "public") continue;
      const body = method === "GET" ? undefined : "{ not json";
      const answer = await send(house(), undefined, method, path.replace(/\{\w+\}/g, "no-id"), body);
      if (verdict(answer) !== "401 unauthenticated") answers[`${method} ${path}`] = verdict(answer);
    }
    expect(answers).toEqual({});
  });

  test("a wrong shape is told before whether the thing is there or allowed", async () => {
    const answers: Record<string, string> = {};
    for (const { method, path, caller, body, bodyOptional } of operations) {
      if (caller === "public" || !body || bodyOptional) continue;
      const { stranger } = seen.stage.people;
      const at = path.replace("{id}", seen.stage.server.id).replace(/\{\w+\}/g, nobodysId);
      const answer = await send(house(), stranger.token, method, at, "[]");
      if (verdict(answer) !== "400 invalid_request") answers[`${method} ${path}`] = verdict(answer);
    }
    expect(answers).toEqual({});
  });
}

function cellsOf(row: Row): Partial<Record<Kind, string>> {
  const cells = row.cells.split(" ");
  if (cells.length !== kinds.length) throw new Error(`${row.route} needs ${kinds.length} cells`);
  const expected: Partial<Record<Kind, string>> = {};
  kinds.forEach((kind, i) => {
    const [status = "", code] = (cells[i] ?? "-").split(":");
    if (status !== "-") expected[kind] = status < "400" ? status : `${status} ${code ?? codes[status]}`;
  });
  return expected;
}

function anonymously({ body }: Answer<unknown>): string {
  return JSON.stringify({ ...(body as Record<string, unknown>), request_id: undefined });
}
