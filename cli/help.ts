// The text of `hearth help`.
import { aligned } from "../server/config/aligned.ts";
import { adminCommands } from "./admin.ts";

export function help(): string {
  const rows = [
    ["hearth serve", "start the server, as npm start does"],
    ...adminCommands.map(({ name, takes, meaning }) => [["hearth admin", name, ...takes].join(" "), meaning]),
    ["hearth backup <file>", "back up the database and the uploads, also while the server runs"],
    ["hearth restore <file>", "make a Hearth of a backup, in an empty folder (--data-dir)"],
    ["hearth restore --check <file>", "only look whether the backup is whole"],
    ["hearth blobs copy --to s3", "copy the uploads of DATA_DIR to the S3 store; --to disk copies them back"],
    [
      "hearth migrate --to postgres://…",
      "move the database into PostgreSQL, also while the server runs; --to sqlite moves it back",
    ],
    ["hearth migrate --stay", "go on where a move began, and forget the move"],
    ["hearth doctor", "check the settings, the folder, the database, the port, mail, push and voice"],
    ["hearth doctor voice", "check voice only"],
    ["hearth ready", "say whether the running server is ready; exit code 1 when it is not"],
    ["hearth settings", "show the settings in force, secrets hidden"],
    ["hearth help", "this"],
  ];
  return [
    ...aligned(rows),
    "",
    "<user> is a username, an e-mail address or an id.",
    "Settings come from the environment, or as arguments: hearth serve --port 9000 --data-dir /srv/hearth.",
    "hearth settings names them all. Give every command the same settings as the server.",
  ].join("\n");
}
