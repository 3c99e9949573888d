// The addresses at which passkeys work, and the messages about failed ceremonies by WebAuthn's error names.
import { expect, test } from "bun:test";
import { isOfDomain, outcomeOf } from "./capable.ts";

test("each refusal of the browser has its sentence; what is no refusal is an error of its own", () => {
  const outcomes = [
    "NotAllowedError",
    "AbortError",
    "InvalidStateError",
    "SecurityError",
    "NotSupportedError",
  ];
  expect(outcomes.map((name) => outcomeOf(new DOMException("", name)))).toEqual([
    "cancelled",
    "cancelled",
    "known",
    "address",
    "browser",
  ]);
  expect(outcomeOf(new TypeError())).toBeUndefined();
});

test("they can be used at the domain of PUBLIC_URL and below, without one at localhost alone", () => {
  const places: [hostname: string, publicUrl: string | null | undefined, canBe: boolean][] = [
    ["chat.example", "https://chat.example", true],
    ["a.chat.example", "https://chat.example", true],
    ["notchat.example", "https://chat.example", false],
    ["nas.lan", "https://chat.example", false],
    ["nas.lan", null, false],
    ["localhost", null, true],
    ["localhost", "http://127.0.0.1:8080", true],
    ["localhost", "http://0.0.0.0:8080", true],
    ["localhost", "http://192.168.1.5:8080", false],
    ["nas.lan", undefined, true],
  ];
  for (const [hostname, publicUrl, canBe] of places)
    expect([hostname, publicUrl, isOfDomain(hostname, publicUrl)]).toEqual([hostname, publicUrl, canBe]);
});
