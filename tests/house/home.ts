// Olga's server, a new one for each test, with Bob as its only other member; Carol stays outside.
import { beforeAll, beforeEach } from "bun:test";
import type { TestHouse } from "./engines.ts";
import type { TestPerson } from "./people.ts";

export interface Home {
  olga: TestPerson;
  bob: TestPerson;
  carol: TestPerson;
  home: Awaited<ReturnType<TestPerson["makeServer"]>>;
}

/** Filled while tests run: it is looked into there, not taken apart where they are declared. */
export function homeForEach(house: () => TestHouse): Home {
  const stage = {} as Home;
  beforeAll(async () => {
    const [olga, bob, carol] = ["olga", "bob", "carol"].map((name) => house().person(name));
    Object.assign(stage, { olga: await olga, bob: await bob, carol: await carol });
  });
  beforeEach(async () => {
    stage.home = await stage.olga.makeServer();
    await stage.olga.bringIn(stage.home.id, stage.bob);
  });
  return stage;
}
