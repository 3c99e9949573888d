// Runs Schemathesis against a server and its description, and counts the differences between them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../house/machine/process.ts";
import { copyFor, type Description } from "./copy.ts";
import { Outside } from "./outside.ts";
import { NotHere, type Program, program } from "./program.ts";
import { runsFor } from "./runs.ts";
import { setStage } from "./stage.ts";

/** The exit code that means that nothing was tried. */
const skipped = 77;

const folder = mkdtempSync(join(tmpdir(), "hearth-schemathesis-"));
try {
  process.exitCode = await tryEverything(program(folder));
} catch (error) {
  if (!(error instanceof NotHere)) throw error;
  console.log(`schemathesis: skipped. ${error.message}`);
  process.exitCode = skipped;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryEverything(schemathesis: Program): Promise<number> {
  const outside = await Outside.open();
  const settings = { DATA_DIR: join(folder, "data"), ...outside.settings };
  const server = await startServer({ settings });
  try {
    const description = (await (await fetch(`${server.url}/docs/swagger.json`)).json()) as Description;
    const stage = await setStage(server, outside);
    const copy = join(folder, "swagger.json");
    writeFileSync(copy, JSON.stringify(copyFor(description, stage)));
    const [operations, accepted] = [new Set<string>(), new Set<string>()];
    let [cases, failures] = [0, 0];
    for (const run of runsFor(stage)) {
      console.log(`== ${run.name}`);
      const found = await schemathesis(copy, `${server.url}/api/v1`, run);
      for (const each of found.operations) operations.add(each);
      for (const each of found.accepted) accepted.add(each);
      cases += found.cases;
      failures += found.failures;
    }
    const never = [...operations].filter((each) => !accepted.has(each));
    if (never.length > 0) console.log(`-- only ever refused: ${never.join(", ")}`);
    console.log(`schemathesis: ${operations.size} operations, ${cases} cases, ${failures} failures`);
    return failures === 0 && cases > 0 ? 0 : 1;
  } finally {
    await server.stop();
    await outside.close();
  }
}
