// The parts of the wire format that a client reads, written from the contract alone: a mismatch is the server's fault.

export interface Message {
  id: string;
  channel_id: string;
  server_id: string;
  author: { id: string; username: string };
  content: string;
  mentions: { user_ids: string[]; role_ids: string[]; everyone: boolean };
  nonce: string | null;
  created_at: string;
}

export interface Channel {
  id: string;
  server_id: string;
  name: string;
  type: string;
  last_message_id: string | null;
}

export interface ServerEntry {
  id: string;
  channels: Channel[];
  seq: number;
}

export interface Ready {
  epoch: string;
  heartbeat_interval_ms: number;
  servers: ServerEntry[];
}

/** One text frame from the gateway; events of a server carry `server_id` and `seq`. */
export interface Frame {
  type: string;
  data: unknown;
  server_id?: string;
  seq?: number;
  ts: string;
}
