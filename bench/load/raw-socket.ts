// A raw TCP connection, for attacks that break off in the middle of an HTTP request.
import type { Socket } from "bun";
import { comingFrom } from "./addresses.ts";
import type { Target } from "./jobs.ts";

interface RawHandler {
  onDrain?(socket: Socket): void;
  onData?(bytes: Buffer): void;
  onClose(): void;
}

export function openRaw(target: Target, from: string, handler: RawHandler): Promise<Socket> {
  return Bun.connect({
    ...comingFrom(from),
    hostname: target.host,
    port: target.port,
    socket: {
      data: (_, bytes) => handler.onData?.(bytes),
      drain: (socket) => handler.onDrain?.(socket),
      close: () => handler.onClose(),
      error: () => {},
    },
  });
}
