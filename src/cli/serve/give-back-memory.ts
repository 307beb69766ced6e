import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Fewer bytes of requests are not worth a collection, which takes a tenth of a second. */
const WORTH_BYTES = 16 * 1024 * 1024;
/** How long no request has ended before memory is given back. */
const QUIET_MS = 1000;

/**
 * Gives the memory of large requests back to the system: V8 collects it only when it needs memory itself, which a gateway without requests never
 * does. The returned function is called with the bytes of each request that has ended.
 */
export function giveBackMemory(): (bytes: number) => void {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const collect = (): void => {
    bytes = 0;
    // Node has no function for it; the flag adds one to contexts that are made later.
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  };
  return (more) => {
    bytes += more;
    clearTimeout(timer);
    if (bytes >= WORTH_BYTES) timer = setTimeout(collect, QUIET_MS).unref();
  };
}
