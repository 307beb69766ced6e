import { readFileSync } from "node:fs";

/** The resident memory of this process in bytes, current and peak; getrusage would include the parent's in the peak. */
export function residentMemory(): { readonly now: number; readonly peak: number } {
  const status = readFileSync("/proc/self/status", "utf8");
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}
