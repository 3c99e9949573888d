// The bar of a room that the reader looks at as a role, loaded with its first use.
import { later } from "../../../web/ui/loading/later.tsx";

export const ViewedBar = later(async () => (await import("./view-as.tsx")).ViewAsBar);
