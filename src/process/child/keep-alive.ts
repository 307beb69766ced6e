import type { Output } from "./output.ts";
import type { Child } from "./spawn-child.ts";

/** Makes a child and its pipes keep this process alive (`ref`), or no longer (`unref`). */
export function setKeepAlive(child: Child, output: Output, change: "ref" | "unref"): void {
  child[change]();
  output[change]();
  for (const pipe of [child.stdin, child.stderr]) {
    // Pipes of a child are sockets; their type does not show it.
    const act: unknown = Reflect.get(pipe, change);
    if (typeof act === "function") act.call(pipe);
  }
}
