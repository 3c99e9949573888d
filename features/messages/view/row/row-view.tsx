// One row of a room: the beginning of a channel or conversation, a day, the line above new messages, or a message.
import { Region } from "../../../../web/ui/controls/region.tsx";
import { filled } from "../../../../web/ui/loading/slots.ts";
import type { Row } from "../model/rows.ts";
import { conversationBeginning } from "../slots.ts";
import { BeginningRow } from "./beginning-row.tsx";
import { BrokenRow } from "./broken-row.tsx";
import { DayRow } from "./day-row.tsx";
import { MessageRow } from "./message-row.tsx";
import { NewRow } from "./new-row.tsx";
import { UnsentRow } from "./unsent-row.tsx";

export function RowView({ row }: { row: Row }) {
  switch (row.kind) {
    case "beginning":
      return (
        <>
          <BeginningRow channelId={row.channelId} />
          {filled(conversationBeginning, { channelId: row.channelId })}
        </>
      );
    case "day":
      return <DayRow day={row.day} />;
    case "new":
      return <NewRow count={row.count} hasMore={row.hasMore} since={row.since} />;
    case "message":
      return (
        <Region about={row.message} instead={<BrokenRow id={row.message.id} />}>
          <MessageRow
            message={row.message}
            isHead={row.isHead}
            showsTime={row.showsTime}
            isUnread={row.isUnread}
            folded={row.folded}
          />
        </Region>
      );
    case "unsent":
      return <UnsentRow unsent={row.unsent} isHead={row.isHead} />;
  }
}
