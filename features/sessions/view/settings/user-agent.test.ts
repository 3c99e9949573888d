// Recognizing browsers by their user agent.
import { expect, test } from "bun:test";
import { deviceOf } from "./user-agent.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test("browsers that also name others are told apart", () => {
  const edge = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0 Safari/537.36 Edg/130.0`;
  expect(deviceOf(edge)).toEqual({ browser: "Edge", system: "Windows", isHandheld: false });
  const chrome = `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/130.0 Safari/537.36`;
  expect(deviceOf(chrome)).toEqual({ browser: "Chrome", system: "Linux", isHandheld: false });
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
  expect(deviceOf(phone)).toEqual({ browser: "Safari", system: "iPhone", isHandheld: true });
  const fox = "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0";
  expect(deviceOf(fox)).toEqual({ browser: "Firefox", system: "Android", isHandheld: true });
});

test("what is no browser is not guessed", () => {
  expect(deviceOf("curl/8.5.0")).toBeUndefined();
  expect(deviceOf("")).toBeUndefined();
});

test("every browser and system that is known is told by its name", () => {
  const chrome = `${webkit} Chrome/130.0`;
  const told: [userAgent: string, browser: string, system: string, isHandheld: boolean][] = [
    [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 OPR/115.0`, "Opera", "Windows", false],
    [
      `Mozilla/5.0 (Linux; Android 14) ${webkit} SamsungBrowser/26.0 Chrome/122.0`,
      "Samsung Internet",
      "Android",
      true,
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 Vivaldi/7.0`, "Vivaldi", "Linux", false],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, "Chrome", "ChromeOS", false],
    [
      "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1 CriOS/130.0 Safari/604.1",
      "Chrome",
      "iPad",
      true,
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) FxiOS/130.0 Safari/605.1",
      "Firefox",
      "iPhone",
      true,
    ],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/17.5 Safari/605.1", "Safari", "macOS", false],
    [`Mozilla/5.0 (Linux; Android 14) ${chrome} EdgA/130.0`, "Edge", "Android", true],
  ];
  for (const [userAgent, browser, system, isHandheld] of told)
    expect(deviceOf(userAgent)).toEqual({ browser, system, isHandheld });
});
