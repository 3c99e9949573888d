// Weekly windows against real clocks: ordinary weeks, midnights, and the nights in which the clocks change.
import { describe, expect, spyOn, test } from "bun:test";
import { IANAZone } from "luxon";
import { limits } from "../../protocol/limits.ts";
import type { Window } from "./contract.ts";
import { reachableAt } from "./windows.ts";

const [sunday, monday, tuesday, friday, saturday] = [0, 1, 2, 5, 6];

function hours(time_zone: string, ...windows: [day: number, start: string, end: string][]) {
  return { time_zone, windows: windows.map(([day, start, end]): Window => ({ day, start, end })) };
}

function every(start: string, end: string): [number, string, string][] {
  return [0, 1, 2, 3, 4, 5, 6].map((day) => [day, start, end]);
}

/** `in until <time>` or `out until <time>`, times in UTC. */
function look(schedule: ReturnType<typeof hours>, at: string): string {
  const { now, nextChangeAt } = reachableAt(schedule, Date.parse(at));
  const until =
    nextChangeAt === null ? "ever" : new Date(nextChangeAt).toISOString().replace(":00.000Z", "Z");
  return `${now ? "in" : "out"} until ${until}`;
}

describe("an ordinary week", () => {
  const office = hours("Europe/Berlin", [monday, "09:00", "17:00"], [tuesday, "10:00", "12:00"]);

  test("a window holds its first moment and not its last", () => {
    expect(look(office, "2026-06-08T06:59:59.999Z")).toBe("out until 2026-06-08T07:00Z");
    expect(look(office, "2026-06-08T07:00:00.000Z")).toBe("in until 2026-06-08T15:00Z");
    expect(look(office, "2026-06-08T14:59:59.999Z")).toBe("in until 2026-06-08T15:00Z");
    expect(look(office, "2026-06-08T15:00:00.000Z")).toBe("out until 2026-06-09T08:00Z");
    expect(look(office, "2026-06-09T10:00:00.000Z")).toBe("out until 2026-06-15T07:00Z");
  });

  test("no windows are always; windows that leave no gap are always, too", () => {
    expect(look(hours("UTC"), "2026-06-08T12:00Z")).toBe("in until ever");
    expect(look(hours("Europe/Berlin", ...every("00:00", "00:00")), "2026-03-28T12:00Z")).toBe(
      "in until ever",
    );
    expect(look(hours("America/New_York", ...every("02:30", "02:30")), "2026-10-30T12:00Z")).toBe(
      "in until ever",
    );
  });

  test("windows that overlap, touch or stand there twice are one", () => {
    const split = hours(
      "UTC",
      [monday, "12:00", "15:00"],
      [monday, "09:00", "12:00"],
      [monday, "09:00", "12:00"],
      [monday, "14:00", "16:00"],
      [monday, "14:10", "14:20"],
    );
    expect(look(split, "2026-06-08T10:00Z")).toBe("in until 2026-06-08T16:00Z");
  });

  test("a zone of half hours, and one of quarters", () => {
    expect(look(hours("Asia/Kolkata", [monday, "09:00", "17:00"]), "2026-06-08T03:29Z")).toBe(
      "out until 2026-06-08T03:30Z",
    );
    expect(look(hours("Asia/Kathmandu", [monday, "00:00", "00:15"]), "2026-06-07T18:15Z")).toBe(
      "in until 2026-06-07T18:30Z",
    );
    expect(look(hours("Pacific/Kiritimati", [monday, "00:00", "01:00"]), "2026-06-07T10:30Z")).toBe(
      "in until 2026-06-07T11:00Z",
    );
  });
});

describe("across midnight", () => {
  const nights = hours("America/New_York", [friday, "22:00", "02:00"], [saturday, "23:00", "01:30"]);

  test("an end that is not after the start is on the next day, and belongs to the day of the start", () => {
    expect(look(nights, "2026-06-13T01:59Z")).toBe("out until 2026-06-13T02:00Z");
    expect(look(nights, "2026-06-13T05:59Z")).toBe("in until 2026-06-13T06:00Z");
    expect(look(nights, "2026-06-13T06:00Z")).toBe("out until 2026-06-14T03:00Z");
  });

  test("and from Saturday into Sunday, the week's end", () => {
    expect(look(nights, "2026-06-14T04:30Z")).toBe("in until 2026-06-14T05:30Z");
    expect(look(nights, "2026-06-14T05:30Z")).toBe("out until 2026-06-20T02:00Z");
  });

  test("the same start and end is a whole day", () => {
    const watch = hours("UTC", [sunday, "08:00", "08:00"]);
    expect(look(watch, "2026-06-07T08:00Z")).toBe("in until 2026-06-08T08:00Z");
    expect(look(watch, "2026-06-08T08:00Z")).toBe("out until 2026-06-14T08:00Z");
  });
});

// Berlin, 29 March 2026: 02:00 becomes 03:00 (01:00 UTC). 25 October 2026: 03:00 becomes 02:00 (01:00 UTC).
describe("Europe/Berlin", () => {
  test("spring: a time that is left out stands for the moment of the change", () => {
    expect(look(hours("Europe/Berlin", [sunday, "02:30", "05:00"]), "2026-03-29T00:59Z")).toBe(
      "out until 2026-03-29T01:00Z",
    );
    expect(look(hours("Europe/Berlin", [sunday, "01:00", "02:30"]), "2026-03-29T00:30Z")).toBe(
      "in until 2026-03-29T01:00Z",
    );
    expect(look(hours("Europe/Berlin", [sunday, "02:45", "03:15"]), "2026-03-29T01:10Z")).toBe(
      "in until 2026-03-29T01:15Z",
    );
  });

  test("spring: a window that lies in what is left out waits for the next week", () => {
    expect(look(hours("Europe/Berlin", [sunday, "02:15", "02:45"]), "2026-03-28T12:00Z")).toBe(
      "out until 2026-04-05T00:15Z",
    );
  });

  test("autumn: a time that comes twice counts the first time", () => {
    const early = hours("Europe/Berlin", [sunday, "01:00", "02:30"]);
    expect(look(early, "2026-10-25T00:15Z")).toBe("in until 2026-10-25T00:30Z");
    expect(look(early, "2026-10-25T01:15Z")).toBe("out until 2026-11-01T00:00Z");
    expect(look(hours("Europe/Berlin", [sunday, "01:00", "02:50"]), "2026-10-25T00:15Z")).toBe(
      "in until 2026-10-25T00:50Z",
    );
    const late = hours("Europe/Berlin", [sunday, "02:30", "05:00"]);
    expect(look(late, "2026-10-25T00:30Z")).toBe("in until 2026-10-25T04:00Z");
    expect(look(late, "2026-10-25T01:15Z")).toBe("in until 2026-10-25T04:00Z");
  });

  test("a window over the change is an hour shorter in spring and an hour longer in autumn", () => {
    const night = hours("Europe/Berlin", [saturday, "22:00", "06:00"]);
    expect(look(night, "2026-03-28T21:00Z")).toBe("in until 2026-03-29T04:00Z");
    expect(look(night, "2026-10-24T20:00Z")).toBe("in until 2026-10-25T05:00Z");
  });
});

// New York, 8 March 2026: 02:00 becomes 03:00 (07:00 UTC). 1 November 2026: 02:00 becomes 01:00 (06:00 UTC).
describe("America/New_York", () => {
  test("office hours keep to the clock on both sides of the change", () => {
    const office = hours("America/New_York", [friday, "09:00", "17:00"], [monday, "09:00", "17:00"]);
    expect(look(office, "2026-03-06T22:00Z")).toBe("out until 2026-03-09T13:00Z");
    expect(look(office, "2026-10-30T21:00Z")).toBe("out until 2026-11-02T14:00Z");
  });

  test("touching windows leave no hole in either night", () => {
    const all = hours("America/New_York", [saturday, "20:00", "02:30"], [sunday, "02:30", "10:00"]);
    expect(look(all, "2026-03-08T06:30Z")).toBe("in until 2026-03-08T14:00Z");
    const both = hours("America/New_York", [saturday, "20:00", "01:30"], [sunday, "01:30", "10:00"]);
    expect(look(both, "2026-11-01T05:00Z")).toBe("in until 2026-11-01T15:00Z");
  });
});

describe("odd clocks", () => {
  test("half an hour of summer time, on Lord Howe Island", () => {
    // 5 April 2026: 02:00 becomes 01:30 (4 April, 15:00 UTC); from then on UTC+10:30.
    const dawn = hours("Australia/Lord_Howe", [sunday, "01:45", "06:00"]);
    expect(look(dawn, "2026-04-04T14:44Z")).toBe("out until 2026-04-04T14:45Z");
    expect(look(dawn, "2026-04-04T15:10Z")).toBe("in until 2026-04-04T19:30Z");
  });

  test("midnight itself is left out, in Beirut", () => {
    // 29 March 2026: 00:00 becomes 01:00 (28 March, 22:00 UTC).
    const day = hours("Asia/Beirut", [sunday, "00:00", "00:00"]);
    expect(look(day, "2026-03-28T21:59Z")).toBe("out until 2026-03-28T22:00Z");
    expect(look(day, "2026-03-28T22:00Z")).toBe("in until 2026-03-29T21:00Z");
  });

  test("whatever the zone and the moment: at the change the state is the other one, and just before it was not", () => {
    const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Beirut"];
    for (const zone of zones) {
      const schedule = hours(
        zone,
        [sunday, "01:15", "02:40"],
        [saturday, "23:30", "01:45"],
        [tuesday, "00:00", "00:00"],
      );
      let at = Date.parse("2026-01-01T00:00Z");
      for (let steps = 0; steps < 300; steps++) {
        const here = reachableAt(schedule, at);
        const next = here.nextChangeAt ?? Number.NaN;
        expect(next).toBeGreaterThan(at);
        expect(reachableAt(schedule, next - 1).now).toBe(here.now);
        expect(reachableAt(schedule, next).now).toBe(!here.now);
        at = next;
      }
      expect(at).toBeGreaterThan(Date.parse("2026-12-01T00:00Z"));
    }
  });
});

test("as many windows as there may be are reckoned with few questions to the zone", () => {
  const windows = Array.from({ length: limits.availability_windows_max }, (_, i) => ({
    day: i % 7,
    start: `0${i % 8}:00`,
    end: `0${i % 8}:${10 + Math.floor(i / 7)}`,
  }));
  const asked = spyOn(IANAZone.prototype, "offset");
  try {
    reachableAt({ time_zone: "Pacific/Chatham", windows }, Date.parse("2026-06-10T12:00:00Z"));
    expect(asked.mock.calls.length).toBeLessThan(60);
  } finally {
    asked.mockRestore();
  }
});
