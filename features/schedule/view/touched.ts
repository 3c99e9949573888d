// The fields that an edit of an event sends: those that were changed.
import { touched as touchedFields } from "../../../web/ui/browser/touched.ts";

export interface Typed {
  title: string;
  description: string;
  starts: string;
  ends: string;
  channelId: string;
}

interface EventBody {
  title: string;
  description: string;
  starts_at: string;
  ends_at: string | null;
  channel_id: string | null;
}

/** Compares typed values, as a field in minutes cannot show a stored time exactly. */
export function touched(body: EventBody, typed: Typed, before: Typed): Partial<EventBody> {
  return touchedFields(body, onWire(typed), onWire(before));
}

function onWire({ starts, ends, channelId, ...same }: Typed) {
  return { ...same, starts_at: starts, ends_at: ends, channel_id: channelId };
}
