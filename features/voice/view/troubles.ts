// Maps errors of the browser and the media library to problems of a call.
import { DisconnectReason, MediaDeviceFailure } from "livekit-client";
import type { Trouble } from "./call-state.ts";

export function microphoneTrouble(error: unknown): Trouble {
  // Browsers offer no devices there, and their error would not help.
  if (!isSecureContext) return { is: "needs https" };
  switch (MediaDeviceFailure.getFailure(error as Error)) {
    case MediaDeviceFailure.NotFound:
      return { is: "no microphone" };
    case MediaDeviceFailure.PermissionDenied:
      return { is: "microphone refused" };
    default:
      return { is: "microphone busy" };
  }
}

export function endingOf(reason: DisconnectReason | undefined): Trouble {
  switch (reason) {
    case DisconnectReason.DUPLICATE_IDENTITY:
      return { is: "joined elsewhere" };
    case DisconnectReason.PARTICIPANT_REMOVED:
      return { is: "put out" };
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
      return { is: "room closed" };
    default:
      return { is: "media unreachable" };
  }
}
