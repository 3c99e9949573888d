// Fuzzes every operation with ten requests on SQLite.
import { afterAll, beforeAll, describe } from "bun:test";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { fuzz } from "./fuzz.ts";

describe("fuzz on SQLite", () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await makeHouse("SQLite", {}, undefined, true);
    await house.open();
  });
  afterAll(() => house?.end());
  fuzz(() => house, 10);
});
