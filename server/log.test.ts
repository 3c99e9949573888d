// What a path may say in a log line.
import { describe, expect, test } from "bun:test";
import { withoutSecrets } from "./log.ts";

const token = "A".repeat(43);

describe("a path in the log", () => {
  test("stays as it is when it holds no secret", () => {
    for (const path of [
      "/",
      "/api/v1/servers",
      "/api/v1/channels/x/webhooks",
      "/webhooks/an-id",
      "/api/v1/hs",
      "/ths_/x",
    ]) {
      expect(withoutSecrets(path)).toBe(path);
    }
  });

  test("shows where a webhook's token was, at the root and under /api/v1", () => {
    expect(withoutSecrets("/webhooks/an-id/any-token")).toBe("/webhooks/an-id/…");
    expect(withoutSecrets(`/api/v1/webhooks/an-id/hw_${token}`)).toBe("/api/v1/webhooks/an-id/…");
  });

  test("blanks what is written in other letters or percent-encoded as well", () => {
    expect(withoutSecrets(`/x/hs%5f${token}`)).toBe("/x/hs%5f…");
    expect(withoutSecrets(`/x/HS_${token}/y`)).toBe("/x/HS_…/y");
    expect(withoutSecrets(`/Webhooks/a/hw%5F${token}`)).toBe("/Webhooks/a/…");
    expect(withoutSecrets(`/x/hs_${token.slice(0, 9)}%2D${token.slice(9)}`)).toBe("/x/hs_…");
  });

  test("blanks every token of ours, wherever it stands", () => {
    for (const prefix of ["hs", "hb", "hw", "hr"]) {
      expect(withoutSecrets(`/api/v1/servers/${prefix}_${token}/x`)).toBe(`/api/v1/servers/${prefix}_…/x`);
      expect(withoutSecrets(`/a/${prefix}_${token}/b/${prefix}_${token}`)).toBe(
        `/a/${prefix}_…/b/${prefix}_…`,
      );
    }
  });
});
