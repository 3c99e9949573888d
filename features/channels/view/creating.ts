// Creating a channel: the permission, and the dialog.
import { createElement } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { holds, permission } from "../../../protocol/permissions.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";

const CreateChannel = laterWithKeys(async () => (await import("./create-channel.tsx")).CreateChannel);

/** True if the reader may manage a server's channels, or one channel. */
export function mayManage({ permissions: bits }: { permissions: number }): boolean {
  return holds({ bits }, permission.MANAGE_CHANNELS);
}

export function openCreate(server: OwnServer, category: string | null): void {
  openOver((onClose) => createElement(CreateChannel, { server, category, onClose }));
}
