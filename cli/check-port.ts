// The doctor's check of the address on which Hearth listens.

import { createServer } from "node:net";
import { isHearth } from "../features/administration/check-address.ts";
import { urlFromHere } from "../server/caller/addresses.ts";
import type { Config } from "../server/config/config.ts";
import { type Finding, finding, type Running, reason } from "../server/house/check.ts";

export async function checkPort({ host, port }: Config, running: Running | undefined): Promise<Finding> {
  const about = "port";
  if (running) {
    return (await isHearth(running.url))
      ? finding(about, "ok", `The running server answers at ${running.url}.`)
      : finding(about, "wrong", `The running server does not answer at ${running.url}.`);
  }
  if (port === 0) return finding(about, "note", "PORT is 0: each start picks another one.");
  const trouble = await listenOnce(host, port);
  if (!trouble) return finding(about, "ok", `${host}:${port} is free.`);
  if (trouble.code !== "EADDRINUSE")
    return finding(about, "wrong", `Nothing can listen on ${host}:${port} (HOST, PORT): ${reason(trouble)}.`);
  const who = (await isHearth(urlFromHere(host, port)))
    ? "a Hearth with another data folder"
    : "another program";
  return finding(about, "wrong", `${host}:${port} (HOST, PORT) is taken by ${who}.`);
}

/** Tries to listen there. Returns the error; undefined when it works. */
function listenOnce(host: string, port: number): Promise<(Error & { code?: string }) | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", done);
    probe.listen(port, host, () => probe.close(() => done(undefined)));
  });
}
