import type { RunRequest } from "../spec/request.ts";

/** The name of an effort. */
export type EffortName = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** The efforts of the APIs of other libraries and vendors, and the nearest one that the CLIs have. */
export const EFFORTS: Readonly<Record<EffortName, NonNullable<RunRequest["effort"]>>> = {
  none: "low",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "max",
  max: "max",
};

/** True for the name of an effort. */
export function isEffortName(name: string): name is EffortName {
  return Object.hasOwn(EFFORTS, name);
}
