// The buttons for the picture of a bot of the user's own.
import type { Bot } from "../../bots/contract.ts";
import { deleteBotAvatar } from "../calls.ts";
import { PictureButtons } from "./picture-buttons.tsx";

export function BotPicture({ bot, onChange }: { bot: Bot; onChange(bot: Bot): void }) {
  return (
    <PictureButtons
      path={`/bots/${bot.id}/avatar`}
      of={bot.name}
      isSmall
      hasPicture={bot.avatar !== null}
      onSaved={(after) => onChange(after as Bot)}
      onRemove={async () => {
        await deleteBotAvatar({ params: { id: bot.id } });
        onChange({ ...bot, avatar: null });
      }}
    />
  );
}
