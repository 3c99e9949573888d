// The data of AUTH, and that little of it is read before its sender is known.
import { describe, expect, test } from "bun:test";
import { authData, readResume } from "./client-frames.ts";
import { resumeStreamsMax } from "./frames.ts";

/** Streams that count the reads of their fields. */
function watched(count: number) {
  const streams = Object.fromEntries(Array.from({ length: count }, (_, i) => [`server-${i}`, i]));
  const seen = { looks: 0 };
  const lookedAt = new Proxy(streams, {
    get(target, key) {
      seen.looks++;
      return Reflect.get(target, key);
    },
  });
  return { resume: { epoch: "e", streams: lookedAt }, seen };
}

describe("the resume of AUTH", () => {
  test("is not looked into while the token is read", () => {
    const { resume, seen } = watched(6500);
    expect(authData.parse({ token: "hs_nobody", resume })).toMatchObject({ token: "hs_nobody" });
    expect(seen.looks).toBe(0);
  });

  test("is read whole with as many streams as are allowed", () => {
    const { resume } = watched(resumeStreamsMax);
    const read = readResume(resume, "e", resumeStreamsMax);
    expect(Object.keys(read?.streams ?? {})).toHaveLength(resumeStreamsMax);
  });

  test("with one stream more is as if there were none, and no stream is looked at", () => {
    const { resume, seen } = watched(resumeStreamsMax + 1);
    expect(readResume(resume, "e", resumeStreamsMax + 1)).toBeUndefined();
    expect(seen.looks).toBe(0);
  });

  test("of another log, or of more or fewer servers than its sender is in, is the same", () => {
    const { resume, seen } = watched(resumeStreamsMax);
    expect(readResume(resume, "another", resumeStreamsMax)).toBeUndefined();
    for (const servers of [0, 1, resumeStreamsMax - 1, resumeStreamsMax + 1]) {
      expect(readResume(resume, "e", servers)).toBeUndefined();
    }
    expect(seen.looks).toBe(0);
  });

  test("that is damaged is as if there were none", () => {
    const damaged = [undefined, null, 7, "x", [], {}, { epoch: "e" }, { epoch: "e", streams: null }];
    for (const each of [...damaged, { streams: {} }, { epoch: "e", streams: { some: "text" } }]) {
      for (const servers of [0, 1]) expect(readResume(each, "e", servers)).toBeUndefined();
    }
  });
});
