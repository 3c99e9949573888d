// Sequential calls over one connection, which is reopened when it was lost.
import { openHttp } from "./http-connection.ts";
import type { Target } from "./jobs.ts";

/** Rejects when the response has another status than `expected`, or when none comes. */
export type CallerOf = (request: Buffer, expected: number) => Promise<void>;

export function openCaller(target: Target, from?: string): CallerOf {
  let connection: Awaited<ReturnType<typeof openHttp>> | undefined;
  let waiting: PromiseWithResolvers<number> | undefined;

  return async (request, expected) => {
    connection ??= await openHttp(
      target.host,
      target.port,
      {
        onAnswer: (status) => waiting?.resolve(status),
        onClose: (reason) => {
          connection = undefined;
          waiting?.reject(new Error(reason));
        },
      },
      from,
    );
    waiting = Promise.withResolvers();
    connection.send(request);
    const status = await waiting.promise;
    if (status !== expected) throw new Error(`answered ${status}`);
  };
}
