// Fuzzes every operation with forty requests on each engine.
import { onOneProcess } from "../house/open/engines.ts";
import { fuzz } from "./fuzz.ts";

onOneProcess("fuzz", (house) => fuzz(house, 40));
