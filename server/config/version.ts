// The version of this program, as package.json has it.
import { version as packaged } from "../../package.json";

export const version: string = packaged;
