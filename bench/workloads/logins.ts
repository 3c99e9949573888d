// Many people log in at the same moment: password hashing must not block the rest of the server.
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import type { Findings } from "../report.ts";
import { startHearth } from "../servers.ts";

const people = 10;
/** A little longer than the metrics response is cached, in milliseconds. */
const keptMs = 1100;
/** The timeout of a login in milliseconds: a person gives up after that. */
const patienceMs = 10_000;

export async function measureLogins(scale: Scale, logLevel?: string): Promise<Findings> {
  await using hearth = await startHearth({ logLevel });
  const stage = await setStage(hearth.origin, people);
  const lags: number[] = [];
  const slowest: number[] = [];
  let refused = 0;
  for (let round = 0; round < scale.rounds; round++) {
    // Reading the metrics resets the measurement of the lag.
    await loopLagMs(hearth.origin);
    const answers = await Promise.all(
      Array.from({ length: scale.logins }, (_, i) =>
        signIn(hearth.origin, stage.people[i % people]!.username),
      ),
    );
    lags.push(await loopLagMs(hearth.origin));
    slowest.push(Math.max(...answers.map((answer) => answer.ms)));
    refused += answers.filter((answer) => answer.status === 503).length;
    const odd = answers.find((answer) => ![200, 503].includes(answer.status));
    if (odd) throw new Error(`a login answered ${odd.status}`);
  }
  const workload = "logins";
  return {
    rows: [
      {
        workload,
        figure: `longest lag of the event loop, ${scale.logins} logins at once`,
        value: Math.max(...lags),
        unit: "ms",
        target: { below: 50 },
      },
      {
        workload,
        figure: "slowest answer",
        value: Math.max(...slowest) / 1000,
        unit: "s",
        target: { below: patienceMs / 1000 },
      },
      {
        workload,
        figure: `asked to come back later, of ${scale.logins * scale.rounds}`,
        value: refused,
        unit: "",
      },
    ],
    raw: { workload, lags, slowest, refused },
  };
}

async function signIn(origin: string, username: string): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const response = await fetch(`${origin}/api/v1/auth/login/password`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: username, password: `the password of ${username}` }),
    signal: AbortSignal.timeout(patienceMs * 3),
  });
  await response.arrayBuffer();
  return { status: response.status, ms: performance.now() - started };
}

async function loopLagMs(origin: string): Promise<number> {
  await Bun.sleep(keptMs);
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^hearth_event_loop_lag_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}
