// Bun's expect for a changing page: polls until the value matches, and fails with the last value.
import { expect } from "bun:test";
import { until } from "../house/machine/waiting.ts";

interface Eventually<T> {
  toBe(wanted: T): Promise<void>;
  toEqual(wanted: T): Promise<void>;
  toMatchObject(wanted: object): Promise<void>;
  toContain(wanted: string): Promise<void>;
  toMatch(wanted: RegExp): Promise<void>;
  toStartWith(wanted: string): Promise<void>;
  toHaveLength(wanted: number): Promise<void>;
  toBeLessThan(wanted: number): Promise<void>;
  toBeLessThanOrEqual(wanted: number): Promise<void>;
}

export function eventually<T>(read: () => Promise<T>): Eventually<T> {
  async function becomes(isWanted: (value: T) => void): Promise<void> {
    let last: unknown;
    const isSo = async () => {
      try {
        isWanted(await read());
        return true;
      } catch (error) {
        last = error;
        return false;
      }
    };
    await until(isSo, "never").catch(() => {
      throw last;
    });
  }
  return {
    toBe: (wanted) => becomes((value) => expect(value).toBe(wanted)),
    toEqual: (wanted) => becomes((value) => expect(value).toEqual(wanted)),
    toMatchObject: (wanted) => becomes((value) => expect(value as object).toMatchObject(wanted)),
    toContain: (wanted) => becomes((value) => expect(String(value)).toContain(wanted)),
    toMatch: (wanted) => becomes((value) => expect(String(value)).toMatch(wanted)),
    toStartWith: (wanted) => becomes((value) => expect(String(value)).toStartWith(wanted)),
    toHaveLength: (wanted) => becomes((value) => expect(value as unknown[]).toHaveLength(wanted)),
    toBeLessThan: (wanted) => becomes((value) => expect(value as number).toBeLessThan(wanted)),
    toBeLessThanOrEqual: (wanted) => becomes((value) => expect(value as number).toBeLessThanOrEqual(wanted)),
  };
}
