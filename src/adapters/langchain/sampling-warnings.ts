import { findSampling } from "../../doors/sampling.ts";
import type { RunWarning } from "../../spec/result.ts";

export function samplingWarnings(options: object): readonly RunWarning[] {
  return findSampling(options).map((name) => ({
    code: "setting-ignored",
    message: `There is no setting ${name}; it was left out.`,
  }));
}
