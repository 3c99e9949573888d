// A house on PostgreSQL whose database timeouts are set by the test.
import { readConfig } from "../../../server/config/config.ts";
import { type Patience, usualPatience } from "../../../server/database/patience.ts";
import { features } from "../../../server/features.ts";
import { openHouse, type RunningHouse } from "../../../server/open.ts";
import { passwordHasher } from "../../../server/passwords.ts";
import { makeHouse } from "../open/engines.ts";
import { TestPerson } from "../people/people.ts";

interface PatientHouse {
  running: RunningHouse;
  databaseUrl: string;
  person(name: string): Promise<TestPerson>;
  end(): Promise<void>;
}

export async function openPatient(patience: Partial<Patience>): Promise<PatientHouse> {
  const made = await makeHouse("PostgreSQL", {}, undefined, true);
  const running = await openHouse(readConfig([], made.settings), {
    features,
    passwords: passwordHasher(made.hashCost),
    patience: { ...usualPatience, ...patience },
  });
  return {
    running,
    databaseUrl: made.settings.DATABASE_URL ?? "",
    person: (name) => TestPerson.register(running, name),
    async end() {
      await running.stop();
      await made.end();
    },
  };
}
