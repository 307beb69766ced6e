import type { NativeTools } from "../../spec/provider/provider-facts.ts";

/** The host tools of a CLI that gets them from the bridge: the names that the bridge lists unchanged, and no parking. */
export const BRIDGED_TOOLS: Pick<NativeTools, "names" | "descriptionLength" | "canPark"> = {
  names: /^[a-zA-Z0-9_-]{1,50}$/,
  descriptionLength: 10_000,
  canPark: false,
};

/** The time limit of the CLI for a call of a host tool: longer than any that Coxswain sets, which ends the call first. */
export const LONGEST_CALL_MS: number = 24 * 60 * 60 * 1000;
