// Rules for push endpoint URLs, one by one.
import { describe, expect, test } from "bun:test";
import { Refusal } from "../../protocol/errors.ts";
import { readPublicUrl } from "../../server/outbound/addresses.ts";
import { endpoints } from "./endpoints.ts";

const read = (text: string) => readPublicUrl(text, endpoints);

describe("an endpoint is refused", () => {
  for (const text of [
    "",
    "push",
    "//push.example/x",
    "http://push.example/x",
    "ftp://push.example/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://push.example:22/x",
    "https://push.example:8443/x",
    "https://push.example:80/x",
    "https://user@push.example/x",
    "https://user:secret@push.example/x",
    "https://:secret@push.example/x",
    "https://push.example@127.0.0.1/x",
    "https://localhost/x",
    "https://LOCALHOST./x",
    "https://push.localhost/x",
    "https://printer.local/x",
    "https://metadata.google.internal/x",
    "https://nas.home.arpa/x",
    "https://NAS.Local./x",
    "https://router/x",
    "https://router./x",
    "https://127.0.0.1/x",
    "https://127.1/x",
    "https://2130706433/x",
    "https://0x7f000001/x",
    "https://0x7f.0.0.1/x",
    "https://0177.0.0.1/x",
    "https://0/x",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/x",
    "https://[::1]/x",
    "https://[::]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://[fe80::1]/x",
    "https://[fd00::1]/x",
    "https://[64:ff9b::127.0.0.1]/x",
    "https://１２７.０.０.１/x",
    `https://push.example/${"ä".repeat(400)}`,
    `https://${"a\u0301".repeat(300)}.example/x`,
    `https://\t/\\/${"a\u0301".repeat(300)}.example/x`,
  ]) {
    test(text.slice(0, 60) || "nothing", () => {
      expect(() => read(text)).toThrow(Refusal);
    });
  }
});

test("good endpoints are kept in one spelling", () => {
  expect(read("HTTPS://Push.Example:443/send/Ab?c=D#here").href).toBe("https://push.example/send/Ab?c=D");
  // Names that only resemble local ones.
  for (const name of ["mylocal", "arpa", "localhost.example", "internal.example"].map(
    (each) => `push.${each}`,
  ))
    expect(read(`https://${name}/x`).href).toBe(`https://${name}/x`);
  expect(read("https://93.184.216.34/x").href).toBe("https://93.184.216.34/x");
  expect(read("https://[2606:4700::1111]/x").href).toBe("https://[2606:4700::1111]/x");
});
