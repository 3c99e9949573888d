// The version of this program, from package.json.
import { version as packaged } from "../../package.json";

export const version: string = packaged;
