// Events about the roles of a server and the members who hold them.
import { kind } from "../../protocol/event.ts";
import type { Role } from "./contract.ts";

export const roleCreated = kind<Role>("ROLE_CREATE");
export const roleUpdated = kind<Role>("ROLE_UPDATE");
export const roleDeleted = kind<{ id: string }>("ROLE_DELETE");
export const memberUpdated = kind<{ user_id: string; role_ids: string[] }>("SERVER_MEMBER_UPDATE");
