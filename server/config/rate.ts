// Settings that are rates: calls per second, and how many at once.
import { z } from "zod";

export interface Rate {
  perSecond: number;
  burst: number;
}

/** Returns a setting with the default `standard`, written like `5/10`. */
export function rate(standard: string, meaning: string) {
  return {
    schema: z
      .string()
      .regex(
        /^(0\.\d{0,2}[1-9]|[1-9]\d{0,5})\/[1-9]\d{0,5}$/,
        "must be per second and burst, like 5/10 or 0.2/3",
      )
      .default(standard)
      .transform((text) => {
        const [perSecond = 1, burst = 1] = text.split("/").map(Number);
        return { perSecond, burst };
      }),
    meaning,
  };
}
