// The ids of servers, for effects that only their order concerns: servers are others with each message.
import { useMemo } from "react";
import type { OwnServer } from "../../../client/servers.ts";

export function useIds(servers: readonly OwnServer[]): readonly string[] {
  const joined = servers.map(({ id }) => id).join();
  return useMemo(() => (joined === "" ? [] : joined.split(",")), [joined]);
}
