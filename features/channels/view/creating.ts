// Creating a channel: the permission, and the dialog.
import { createElement } from "react";
import type { ServerEntry } from "../../../client/ready.ts";
import { holds, permission } from "../../../protocol/permissions.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";

const CreateChannel = laterWithKeys(async () => (await import("./channel-dialogs.tsx")).CreateChannel);

export function mayManage(permissions: number | undefined): boolean {
  return holds({ bits: permissions ?? 0 }, permission.MANAGE_CHANNELS);
}

export function openCreate(server: ServerEntry, category: string | null): void {
  openOver((onClose) => createElement(CreateChannel, { server, category, onClose }));
}
