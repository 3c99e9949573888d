// Servers with the few people that most tests need: an owner, a member, and an outsider.
import { beforeAll, beforeEach } from "bun:test";
import type { TestHouse } from "../open/engines.ts";
import type { TestPerson } from "../people/people.ts";

/** Olga owns the server, Bob is a member, Carol is not. */
interface Home {
  olga: TestPerson;
  bob: TestPerson;
  carol: TestPerson;
  home: Awaited<ReturnType<TestPerson["makeServer"]>>;
}

/**
 * A new server of Olga's for each test. The object is filled while tests run: read its properties within tests, do not
 * destructure it where they are declared.
 */
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

/** A new server of Alice's, with Bob and Carol as members; Mallory is an outsider. */
export async function neighbours(house: TestHouse) {
  const [alice, bob, carol, mallory] = [
    await house.person("alice"),
    await house.person("bob"),
    await house.person("carol"),
    await house.person("mallory"),
  ];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob, carol);
  return { alice, bob, carol, mallory, home };
}
