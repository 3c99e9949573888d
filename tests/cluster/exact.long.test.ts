// Exact results from three processes under two hundred concurrent calls for the same thing.
import { areExact } from "./exact.ts";

areExact(200);
