// The write gate's state while a trial write is running.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { StorageFault, WriteGate } from "./write-gate.ts";

const soonMs = 10;

test("a trial that the disk does not answer keeps nobody waiting who asks what is wrong", async () => {
  let trials = 0;
  const gate = new WriteGate(() => {
    trials++;
    return new Promise(() => {});
  }, soonMs);
  gate.shut("the disk is full");
  await until(() => trials === 1, "there is no trial");
  expect(() => gate.check()).toThrow(new StorageFault("the disk is full"));
  expect(gate.trouble?.sentence).toBe("the disk is full");
  gate.stop();
});

test("a trial does not disprove what came up while it ran", async () => {
  const trials: PromiseWithResolvers<void>[] = [];
  const gate = new WriteGate(() => {
    const trial = Promise.withResolvers<void>();
    trials.push(trial);
    return trial.promise;
  }, soonMs);
  gate.shut("the disk is full");
  await until(() => trials.length === 1, "there is no trial");
  gate.shut("the folder is gone");
  trials[0]?.resolve();
  await until(() => trials.length === 2, "there is no second trial");
  expect(gate.trouble?.sentence).toBe("the folder is gone");
  trials[1]?.resolve();
  await until(() => gate.trouble === undefined, "it stays shut");
});
